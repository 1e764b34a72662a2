import type { WarningCode } from '#tools/contract/tool.ts'

export interface MadePreview {
  outputs: { label: string; contentType: string; width: number; height: number }[]
  warnings: WarningCode[]
  seconds: number
  /** Reason why the compared provider failed; there are no outputs then. */
  failed?: string
}

export const previewKeys = {
  folder: (id: string) => `previews/${id}/`,
  input: (id: string, index: number) => `previews/${id}/input-${index}`,
  output: (id: string, index: number) => `previews/${id}/output-${index}`,
  done: (id: string, index: number) => `previews/${id}/done-${index}`,
  made: (id: string) => `previews/${id}/made`,
}
