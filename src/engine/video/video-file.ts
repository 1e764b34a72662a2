/** A video as bytes at any place: a file on the server, a blob on the device. */
export interface VideoFile {
  /** In bytes. */
  size: number
  /** Just the bytes from `start` to before `end`, both within the file. */
  read: (start: number, end: number) => Uint8Array | Promise<Uint8Array>
}
