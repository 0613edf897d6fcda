// What the five colourings share.
#pragma once

#include "heddle_more.cuh"

// The mark of a vertex that has no colour yet.
static const u32 UNCOLOURED = INFINITE;
