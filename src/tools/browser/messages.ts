/** A device preview: the free part of what the server's generation would make, at reduced size. */
export interface PreviewTask {
  tool: string
  /** Parameters in the pixels of the reduced first picture. */
  params: unknown
  /** Pictures, encoded or decoded, by input name; every input of the tool is present. */
  inputs: Readonly<Record<string, readonly (Blob | ImageBitmap)[]>>
  /** Longest side in pixels to which each picture is reduced. */
  side: number
  /** Equal keys mean that only rendering differs: the last generated layers are reused. */
  key: string
}

/** The first output of a run, watermarked, as a PNG. */
export interface DevicePicture {
  blob: Blob
  width: number
  height: number
}

/** Message from the page to its worker. */
export interface WorkerRequest {
  id: number
  task: PreviewTask
  /**
   * Warm-up for a fast first preview: a drawn figure replaces the pictures, and nothing is
   * returned.
   */
  rehearsal: boolean
}

/** Message from the worker to the page; without a picture the device cannot make it. */
export interface WorkerResponse {
  id: number
  picture?: DevicePicture
  reason?: string
}
