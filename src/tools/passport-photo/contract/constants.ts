/** Colours that offices ask for; each survives the way through a JPEG exactly. */
export const officialColours = { red: '#DB1514', blue: '#0090FF', orange: '#FF8A00', white: '#FFFFFF' } as const
export type OfficialColour = keyof typeof officialColours
