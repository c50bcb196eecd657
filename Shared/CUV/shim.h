#pragma once
#include <uv.h>

// Declared here because glibc shows them only to C with _GNU_SOURCE.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
