import { decodePicture } from '../engine/node/codecs.ts'
import { cartoonStyles } from '../tools/cartoonizer/contract/definition.ts'

/** Typical good and bad inputs. */
const treatments = {
  '': (image) => image,
  'turned by 12°': (image) => image.rotate(12, { background: '#8a8780' }),
  'on its side': (image) => image.rotate(90),
  'on its head': (image) => image.rotate(180),
  '0.3 MP': (image) => image.resize(550, 550, { fit: 'inside' }),
  '12 MP': (image) => image.resize(3464, 3464, { fit: 'outside' }),
  dark: (image) => image.linear(0.3, 0),
  bright: (image) => image.linear(1.5, 25),
  grey: (image) => image.greyscale().toColourspace('srgb'),
  'JPEG 30': (image) => image.jpeg({ quality: 30 }),
}

/** Every photograph, and the first one of a face in all treatments. */
async function* inputsOf({ names, file }) {
  let treated = false
  for (const name of names) {
    for (const [treatment, apply] of Object.entries(treatments)) {
      if (treatment !== '' && (treated || !/astronaut|portrait/.test(name))) continue
      const bytes = await apply(file(name)).toBuffer()
      yield { name: `${name} ${treatment}`, picture: await decodePicture(bytes) }
    }
    treated ||= /astronaut|portrait/.test(name)
  }
}

async function rowsOf(id, variants, { run, ...given }) {
  const rows = []
  for await (const { name, picture } of inputsOf(given)) {
    const { text, pictures } = await run(id, { picture: [picture] }, variants)
    rows.push([{ picture, text: name }, ...pictures.map((one, i) => ({ picture: one, text: i === 0 ? text : '' }))])
    if (pictures.length === 0) rows.at(-1).push({ text })
  }
  return rows
}

const backdrops = ['grey', 'lobby', 'esplanade', 'park', 'forest', 'sunset', 'city']
const headshots = (given) =>
  rowsOf(
    'headshot',
    backdrops.map((backdrop) => ({ backdrop })),
    given,
  )

const cartoons = (given) =>
  rowsOf(
    'cartoonizer',
    cartoonStyles.map((style) => ({ style })),
    given,
  )

const removed = (given) => rowsOf('background-removal', [{ background: { type: 'color', color: '#3a8f5c' } }], given)

const cutouts = (given) => rowsOf('face-cutout', [{ border: 0.03, borderColor: '#f4b400' }], given)

const presets = ['4x6', '35x45', '51x51', 'hajj']
const passports = (given) =>
  rowsOf(
    'passport-photo',
    presets.map((preset) => ({ preset, background: { type: 'blue' } })),
    given,
  )

/** Source, target, result. */
async function swaps({ run, ...given }) {
  const inputs = await Array.fromAsync(inputsOf(given))
  const rows = []
  for (const [i, source] of inputs.entries()) {
    const target = inputs[(i + 1) % inputs.length]
    const given = { target: [target.picture], faces: [source.picture] }
    const { text, pictures } = await run('swap-face', given, [{ consent: true }])
    const after = pictures.length > 0 ? { picture: pictures[0], text } : { text }
    rows.push([{ picture: source.picture, text: source.name }, { picture: target.picture, text: target.name }, after])
  }
  return rows
}

export const portraitSheets = { removed, headshots, cartoons, cutouts, passports, swaps }
