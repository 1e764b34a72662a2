// Generates src/engine/image/letters.json, outlines of the app's typeface: `node
// src/scripts/letters.mjs`. A font reader on the device would be three times as large.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openSync } from 'fontkit'
import { root } from './run.mjs'

const file = '@fontsource/plus-jakarta-sans/files/plus-jakarta-sans-latin-700-normal.woff'
const noLigatures = { liga: false, clig: false }
const commands = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', closePath: '' }
/** Excludes control characters, soft hyphens and combining marks. */
const isLetter = (letter) => /[^\p{C}\p{M}\u02b0-\u02ff]/u.test(letter)

/** In font units. */
export function makeLetters() {
  const font = openSync(createRequire(import.meta.url).resolve(file))
  const advancesOf = (text) => font.layout(text, noLigatures).positions.map(({ xAdvance }) => Math.round(xAdvance))
  const all = font.characterSet.map((code) => String.fromCodePoint(code)).filter(isLetter)
  const letters = Object.fromEntries(
    all.map((letter) => {
      const { path } = font.layout(letter, noLigatures).glyphs[0]
      const outline = path.commands.map(({ command, args }) => commands[command] + args.map(Math.round).join(' '))
      return [letter, { advance: advancesOf(letter)[0], outline: outline.join('') }]
    }),
  )
  const kerning = {}
  for (const [first, second] of all.flatMap((a) => all.map((b) => [a, b]))) {
    const distance = advancesOf(first + second)[0] - letters[first].advance
    if (distance !== 0) kerning[distance] = (kerning[distance] ?? '') + first + second
  }
  return { em: font.unitsPerEm, capHeight: font.capHeight, letters, kerning }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(root, 'src/engine/image/letters.json'), `${JSON.stringify(makeLetters(), null, 1)}\n`)
}
