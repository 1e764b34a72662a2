/** The free part of what the server's generation would make, at reduced size. */
export interface PreviewTask {
  tool: string
  /** In pixels of the reduced first picture. */
  params: unknown
  /** Encoded or decoded; every input of the tool is present. */
  inputs: Readonly<Record<string, readonly (Blob | ImageBitmap)[]>>
  /** Longest side in pixels to which each picture is reduced. */
  side: number
  /** Equal keys mean that only rendering differs: the last layers are reused. */
  key: string
}

/** The first output, watermarked, as a PNG. */
export interface DevicePicture {
  blob: Blob
  width: number
  height: number
}

export interface WorkerRequest {
  id: number
  task: PreviewTask
  /** Warm-up: a drawn figure replaces the pictures, and nothing is returned. */
  rehearsal: boolean
  /** The connection allows the large network, too. */
  mayLoad: boolean
}

export interface WorkerResponse {
  id: number
  picture?: DevicePicture
  reason?: string
}
