import { type OfficialColour, officialColours, type PassportBackground, type PassportRule } from './definition.ts'

/** Pixels. */
export function photoSize({ width, height, unit, dpi }: PassportRule): { width: number; height: number } {
  const scale = unit === 'mm' ? dpi / 25.4 : 1
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export function printSize({ width, height, unit, dpi }: PassportRule): { width: number; height: number } {
  const scale = unit === 'mm' ? 1 : 25.4 / dpi
  return { width: width * scale, height: height * scale }
}

/** Identity card: red for odd years of birth, blue for even ones, orange for foreigners. */
export function birthYearColour(year: number, foreigner: boolean): OfficialColour {
  if (foreigner) return 'orange'
  return year % 2 === 0 ? 'blue' : 'red'
}

/** `#rrggbb` */
export function backgroundColour(background: PassportBackground): string {
  if (background.type === 'color') return background.color
  if (background.type === 'birth-year') return officialColours[birthYearColour(background.year, background.foreigner)]
  return officialColours[background.type]
}
