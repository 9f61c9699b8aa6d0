#include "datasets/samples.h"
