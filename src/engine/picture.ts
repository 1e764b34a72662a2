/** A picture: sRGB, 8 bits a channel, RGBA interleaved with straight (not premultiplied) alpha; data.length = 4 · width · height. */
export interface Picture {
  width: number
  height: number
  data: Uint8ClampedArray
}

/** One channel of 32-bit floats, row by row, values 0 to 1; data.length = width · height. An alpha matte is a plane: 0 background, 1 foreground. */
export interface Plane {
  width: number
  height: number
  data: Float32Array
}
