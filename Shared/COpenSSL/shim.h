#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <stddef.h>

// EVP_MAC takes its digest as a parameter list, which only macros and varargs-free constructors can build conveniently.
static inline int stride_hmac_set_key(EVP_MAC_CTX *context, const unsigned char *key, size_t length, const char *digest) {
    OSSL_PARAM parameters[2];
    parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0);
    parameters[1] = OSSL_PARAM_construct_end();
    return EVP_MAC_init(context, key, length, parameters);
}
