import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { neutrals, primaries } from './palette.ts'

const css = readFileSync(join(import.meta.dirname, '../../../ui/theme.css'), 'utf8')

function rule(selector: string): Record<string, string> {
  const bodies = css.split(`\n${selector}`).slice(1)
  const entries = bodies.flatMap((body) => [...(body.split('}')[0] ?? '').matchAll(/--([\w-]+):\s*([^;]+);/g)])
  return Object.fromEntries(entries.map(([, name, value]) => [name, value]))
}

const themeNamed = (name: string) => `@plugin "daisyui/theme" {\n  name: "${name}"`

type Triple = [number, number, number]
const map = (triple: Triple, change: (value: number) => number) => triple.map(change) as Triple

/** Linear sRGB, 0 to 1. */
function linear(hex: string): Triple {
  const long = hex.length === 4 ? `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}` : hex
  const shares = [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255) as Triple
  return map(shares, (share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
}

// Ottosson's OKLab, the colour space of CSS mixes here.
function toOklab([red, green, blue]: Triple): Triple {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ]
}
function fromOklab([lightness, a, b]: Triple): Triple {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]
}

/** Value of a property: a colour, a reference, or a mix of two. */
function colour(value: string, properties: Record<string, string>): Triple {
  const name = /^var\(--([\w-]+)\)$/.exec(value)?.[1]
  if (name !== undefined) return colour(properties[name] as string, properties)
  const tinted = /^oklch\(([\d.]+)% calc\(([\d.]+) \* var\(--tint\)\) var\(--hue\)\)$/.exec(value)
  if (tinted) {
    const chroma = Number(tinted[2]) * Number(properties.tint)
    const angle = (Number(properties.hue) * Math.PI) / 180
    return fromOklab([Number(tinted[1]) / 100, chroma * Math.cos(angle), chroma * Math.sin(angle)])
  }
  const mix = /^color-mix\(in oklab, (.+) (\d+)%, (.+)\)$/.exec(value)
  if (!mix) return linear(value)
  const share = Number(mix[2]) / 100
  const one = toOklab(colour(mix[1] as string, properties))
  const other = toOklab(colour(mix[3] as string, properties))
  const mixed = one.map((part, index) => part * share + (other[index] as number) * (1 - share)) as Triple
  return map(fromOklab(mixed), (part) => Math.min(1, Math.max(0, part)))
}

/** Contrast ratio (WCAG 2.2). */
function contrast(one: Triple, other: Triple): number {
  const luminance = ([red, green, blue]: Triple) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const surfaces = ['base-100', 'base-200']
const readable: [text: string, grounds: string[]][] = [
  ['base-content', [...surfaces, 'base-300', 'soft']],
  ['muted', [...surfaces, 'base-300']],
  ['primary-content', ['primary']],
  ['primary-ink', surfaces],
  ['on-soft', ['soft']],
  ...['info', 'success', 'warning', 'error'].flatMap((name): [string, string[]][] => [
    [name, surfaces],
    [`${name}-content`, [name]],
  ]),
]

const looks = neutrals.flatMap((neutral) =>
  primaries.flatMap((primary) =>
    (['light', 'dark'] as const).map((mode) => ({ neutral: neutral.id, primary: primary.id, mode })),
  ),
)

test('there are fifteen accents, each with the fill that its swatch shows', () => {
  expect(primaries).toHaveLength(15)
  for (const { id, swatch } of primaries)
    expect({ ...rule(':root {'), ...rule(`[data-primary="${id}"]`) }.fill).toBe(swatch)
})

test.each(looks)('$primary on $neutral reads at AA contrast in $mode', ({ neutral, primary, mode }) => {
  const properties = {
    ...rule(themeNamed('light')),
    ...rule(':root {'),
    ...rule(`[data-neutral="${neutral}"]`),
    ...rule(`[data-primary="${primary}"]`),
    ...(mode === 'dark' && { ...rule(themeNamed('dark')), ...rule('[data-theme="dark"]') }),
  }
  const at = (name: string) => colour(`var(--color-${name})`, properties)
  const unreadable = readable.flatMap(([text, grounds]) =>
    grounds.filter((ground) => contrast(at(text), at(ground)) < 4.5).map((ground) => `${text} on ${ground}`),
  )
  expect(unreadable).toEqual([])
})
