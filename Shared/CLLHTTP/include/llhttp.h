#pragma once
// The parser is compiled from the sources that Debian's node-llhttp ships; nothing of it is copied here.
// Strict mode: no bare line feeds, no white space inside tokens (RFC 9112 §2.2 and §5).
#define LLHTTP_STRICT_MODE 1
#include "/usr/share/include/llhttp/llhttp.h"
