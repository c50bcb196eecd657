#pragma once
#include <hiredis.h>
#include <read.h>
