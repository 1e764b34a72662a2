import type { WarningCode } from '#tools/contract/tool.ts'

/** What a preview's worker leaves for whoever waits; the files lie beside it. */
export interface MadePreview {
  outputs: { label: string; contentType: string; width: number; height: number }[]
  warnings: WarningCode[]
  /** How long it took. */
  seconds: number
  /** Why the provider that was to be compared could not do its part; there are no outputs then. */
  failed?: string
}

/** Under which keys a preview's files lie while somebody waits for it. */
export const previewKeys = {
  folder: (id: string) => `previews/${id}/`,
  input: (id: string, index: number) => `previews/${id}/input-${index}`,
  output: (id: string, index: number) => `previews/${id}/output-${index}`,
  done: (id: string, index: number) => `previews/${id}/done-${index}`,
  made: (id: string) => `previews/${id}/made`,
}
