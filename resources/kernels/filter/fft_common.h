// Fourier transforms of lines in registers, and further functions that the kernels of filters by transforms share.
// Included after a prelude.
//
// Defined before: NX, NY (points of a tile; 16, 32, 64 or 128), X1, X2, Y1, Y2 (radices of the two stages: X1 * X2 =
// NX), OUT_X, OUT_Y (outputs of a tile), COMPONENTS, IN (element type of the source), ROOT_8, COS_16, SIN_16 (cosine of
// a quarter of pi; cosine and sine of an eighth).
//
// Frequencies are never put in order: where a line of N = R1 * R2 points has been transformed, point j * R2 + f holds
// frequency j + R1 * f. The spectra of taps lie in the same order, and the way back begins with it.
#define POINTS (NX * NY)

// Places of a tile in local memory, without gaps: x is permuted within 32, differently in each of 32 rows, so that
// neither neighbors along x, nor along y, nor four rows of eight share a bank.
#define AT(x, y) ((y) * NX + ((x) ^ ((((y) & 3) << 3 | ((y) >> 2 & 7)) & (NX - 1))))

// Transforms of length R in place, results in natural order. With real and imaginary parts exchanged: backward.
FUNCTION void dft_of_4(REAL* re, REAL* im, const i32 a, const i32 b, const i32 c, const i32 d) {
  const REAL ar = re[a] + re[c], ai = im[a] + im[c], br = re[a] - re[c], bi = im[a] - im[c];
  const REAL cr = re[b] + re[d], ci = im[b] + im[d], dr = re[b] - re[d], di = im[b] - im[d];
  re[a] = ar + cr;
  im[a] = ai + ci;
  re[b] = br + di;
  im[b] = bi - dr;
  re[c] = ar - cr;
  im[c] = ai - ci;
  re[d] = br - di;
  im[d] = bi + dr;
}
FUNCTION void dft_4(REAL* re, REAL* im) { dft_of_4(re, im, 0, 1, 2, 3); }

FUNCTION void dft_8(REAL* re, REAL* im) {
  REAL er[4], ei[4], dr[4], di[4];
#pragma unroll
  for (i32 j = 0; j < 4; ++j) {
    er[j] = re[j] + re[j + 4];
    ei[j] = im[j] + im[j + 4];
    dr[j] = re[j] - re[j + 4];
    di[j] = im[j] - im[j + 4];
  }
  const REAL r1 = dr[1] + di[1], i1 = di[1] - dr[1], r2 = dr[2], r3 = di[3] - dr[3], i3 = dr[3] + di[3];
  dr[1] = ROOT_8 * r1;
  di[1] = ROOT_8 * i1;
  dr[2] = di[2];
  di[2] = -r2;
  dr[3] = ROOT_8 * r3;
  di[3] = -ROOT_8 * i3;
  dft_of_4(er, ei, 0, 1, 2, 3);
  dft_of_4(dr, di, 0, 1, 2, 3);
#pragma unroll
  for (i32 j = 0; j < 4; ++j) {
    re[2 * j] = er[j];
    im[2 * j] = ei[j];
    re[2 * j + 1] = dr[j];
    im[2 * j + 1] = di[j];
  }
}

FUNCTION void turn(REAL* re, REAL* im, REAL c, REAL s) {
  const REAL r = FMA(*re, c, -(*im * s));
  *im = FMA(*re, s, *im * c);
  *re = r;
}

FUNCTION void dft_16(REAL* re, REAL* im) {
#pragma unroll
  for (i32 k = 0; k < 4; ++k) dft_of_4(re, im, k, k + 4, k + 8, k + 12);
  turn(re + 5, im + 5, COS_16, -SIN_16);
  turn(re + 6, im + 6, ROOT_8, -ROOT_8);
  turn(re + 7, im + 7, SIN_16, -COS_16);
  turn(re + 9, im + 9, ROOT_8, -ROOT_8);
  const REAL r10 = re[10];
  re[10] = im[10];
  im[10] = -r10;
  turn(re + 11, im + 11, -ROOT_8, -ROOT_8);
  turn(re + 13, im + 13, SIN_16, -COS_16);
  turn(re + 14, im + 14, -ROOT_8, -ROOT_8);
  turn(re + 15, im + 15, -COS_16, SIN_16);
#pragma unroll
  for (i32 j = 0; j < 4; ++j) dft_of_4(re, im, 4 * j, 4 * j + 1, 4 * j + 2, 4 * j + 3);
  // Frequency j + 4 f lies at 4 j + f.
#pragma unroll
  for (i32 j = 0; j < 4; ++j)
#pragma unroll
    for (i32 f = j + 1; f < 4; ++f) {
      const REAL r = re[4 * j + f], i = im[4 * j + f];
      re[4 * j + f] = re[4 * f + j];
      im[4 * j + f] = im[4 * f + j];
      re[4 * f + j] = r;
      im[4 * f + j] = i;
    }
}
#define DFT(radix, re, im) PASTE(dft_, radix)(re, im)

// Number j of a stage of `radix` numbers, that for k of R2, is turned by exp(-2 pi i j k / (radix * R2)). The table
// holds for j = 1 .. radix - 1 and each k the cosine and the sine.
FUNCTION void twiddle(REAL* re, REAL* im, const i32 radix, const i32 others, i32 k, GLOBAL const REAL* table) {
#pragma unroll
  for (i32 j = 1; j < radix; ++j) {
    GLOBAL const REAL* factor = table + 2 * ((j - 1) * others + k);
    turn(re + j, im + j, factor[0], factor[1]);
  }
}

// One tile of a slice: its first output and its component. Tiles beyond the last hold zeros.
typedef struct {
  i32 x0, y0, component, exists;
} Tile;
FUNCTION Tile tile_at(i32 index, i32 tiles, i32 tiles_x) {
  Tile tile;
  const i32 place = index / COMPONENTS;
  tile.component = index % COMPONENTS;
  tile.x0 = place % tiles_x * OUT_X;
  tile.y0 = place / tiles_x * OUT_Y;
  tile.exists = index < tiles;
  return tile;
}

// Entries of the maps: a place in the source (along x in elements), or one of these.
#define CONSTANT_OUTSIDE (-1)
#define NOTHING (-2)  // beyond what outputs read: zero

FUNCTION REAL element_at(GLOBAL const IN* RESTRICT slice, i32 x, i32 y, i32 source_row, i32 component, REAL outside) {
  if (x == NOTHING || y == NOTHING) return (REAL)0;
  if (x < 0 || y < 0 || slice == 0) return outside;
  return (REAL)slice[(i64)y * source_row + x + component];
}
