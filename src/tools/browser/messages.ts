/** A run that the page wants: the tool's free part of what a server's run would make, small. */
export interface PreviewTask {
  tool: string
  /** Parameters in the pixels of the reduced first picture. */
  params: unknown
  /**
   * Pictures, encoded or decoded, by the names of the tool's inputs; every input of the tool is
   * there.
   */
  inputs: Readonly<Record<string, readonly (Blob | ImageBitmap)[]>>
  /** Longest side in pixels to which each picture is reduced. */
  side: number
  /**
   * The same for runs that differ only in what is rendered: what was generated for the last of them
   * is taken again.
   */
  key: string
}

/** The first output of a run, watermarked, as a PNG. */
export interface DevicePicture {
  blob: Blob
  width: number
  height: number
}

/** What the page tells its worker. */
export interface WorkerRequest {
  id: number
  task: PreviewTask
  /**
   * Only so that the run that follows is quick: a drawn figure stands for every picture, and
   * nothing is given back.
   */
  rehearsal: boolean
}

/** What the worker tells the page; without a picture the device cannot do it. */
export interface WorkerResponse {
  id: number
  picture?: DevicePicture
  reason?: string
}
