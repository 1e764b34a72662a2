export const themeModes = ['light', 'dark', 'auto'] as const

export interface Theme {
  mode: (typeof themeModes)[number]
  primary: string
  neutral: string
}
