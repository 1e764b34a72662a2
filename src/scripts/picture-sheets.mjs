// Each function makes the rows of one contact sheet.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pastedObjects } from '../../tests/support/pasted-objects.ts'
import { decodePicture } from '../engine/node/codecs.ts'
import { createNodeHost } from '../engine/node/host.ts'
import { sceneIds } from '../engine/scenes.ts'
import { cameraOf, locationLight, neutralWishes, renderScene, shownLocation } from '../engine/tasks/background/index.ts'
import { inpaint } from '../engine/tasks/inpaint/index.ts'
import { layoutCounts, layoutTemplates } from '../engine/tasks/layout/index.ts'

/** Turns `picture` and an optional `mask` into `result`; undefined where python3 has no OpenCV. */
async function withOpenCv(code, image, picture, mask) {
  const own = mkdtempSync(join(tmpdir(), 'rupa-sheet-'))
  const [from, masked, to] = ['picture.png', 'mask.png', 'result.png'].map((name) => join(own, name))
  await image(picture).removeAlpha().png().toFile(from)
  if (mask) {
    const data = new Uint8ClampedArray(4 * mask.data.length).fill(255)
    for (let i = 0; i < mask.data.length; i++) data.fill(255 * mask.data[i], 4 * i, 4 * i + 3)
    await image({ ...mask, data })
      .png()
      .toFile(masked)
  }
  const lines = [
    'import cv2, sys',
    'picture, mask = cv2.imread(sys.argv[1]), cv2.imread(sys.argv[2], 0)',
    code,
    'cv2.imwrite(sys.argv[3], result)',
  ]
  const { status } = spawnSync('/usr/bin/python3', ['-c', lines.join('\n'), from, masked, to])
  const made = status === 0 ? [await decodePicture(readFileSync(to))] : []
  rmSync(own, { recursive: true, force: true })
  return made
}

/** A wavy ellipse that covers the given share of the picture. */
function hole({ width, height }, share) {
  const data = new Float32Array(width * height)
  const radius = Math.sqrt((share * width * height) / Math.PI)
  for (let i = 0; i < data.length; i++) {
    const x = (i % width) - width / 2
    const y = Math.floor(i / width) - height / 2
    const angle = Math.atan2(y, x)
    if (Math.hypot(x / 1.2, y * 1.2) < radius * (1 + 0.18 * Math.sin(3 * angle + 1))) data[i] = 1
  }
  return { width, height, data }
}

function covered(picture, mask) {
  const data = picture.data.slice()
  for (let i = 0; i < mask.data.length; i++) if (mask.data[i] > 0) data.set([255, 0, 255, 255], 4 * i)
  return { ...picture, data }
}

async function removal(image, truth, picture, mask) {
  const row = [truth, picture]
  for (const method of ['TELEA', 'NS']) {
    row.push(
      ...(await withOpenCv(`result = cv2.inpaint(picture, mask, 5, cv2.INPAINT_${method})`, image, picture, mask)),
    )
  }
  return [...row, inpaint(picture, mask)]
}

async function holes({ names, load, image }) {
  const rows = []
  for (const name of names) {
    const picture = await load(name, 700)
    for (const share of [0.03, 0.12, 0.3]) {
      const mask = hole(picture, share)
      rows.push(await removal(image, picture, covered(picture, mask), mask))
    }
  }
  return rows
}

async function objects({ names, folder, image }) {
  const photographs = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
  const rows = []
  for (const { truth, picture, mask } of await pastedObjects(photographs)) {
    rows.push(await removal(image, truth, picture, mask))
  }
  return rows
}

const enlargeElsewhere = `clean = cv2.fastNlMeansDenoisingColored(picture, None, 5, 5, 7, 21)
result = cv2.resize(clean, None, fx=2, fy=2, interpolation=cv2.INTER_LANCZOS4)`

/** Lanczos and detailEnhance of OpenCV, our engine without and with light and colour. */
async function enhanced({ names, load, image, run }) {
  const rows = []
  for (const name of names) {
    const jpeg = await image(await load(name, 240))
      .removeAlpha()
      .jpeg({ quality: 60 })
      .toBuffer()
    const poor = await decodePicture(jpeg)
    const light = [
      { light: 0, colour: 0 },
      { light: 0.5, colour: 0.3 },
    ]
    rows.push([
      poor,
      ...(await withOpenCv(enlargeElsewhere, image, poor)),
      ...(await withOpenCv(`${enlargeElsewhere}\nresult = cv2.detailEnhance(result)`, image, poor)),
      ...(await run('enhancement', { picture: [poor] }, light)).pictures,
    ])
  }
  return rows
}

/** Each location in all its directions, and each surface four times. */
async function scenes() {
  const host = createNodeHost(new AbortController().signal, () => {})
  const shape = { width: 640, height: 800, wishes: neutralWishes() }
  const camera = cameraOf(shape, { eyes: 0.36, head: 0.4 })
  const rows = []
  for (const id of sceneIds) {
    const location = shownLocation(id)
    const around = location && (await host.surroundings(location))
    const seeds = location ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4]
    rows.push(
      seeds.map((seed) => {
        const balance = location && locationLight(around, location, seed).balance
        return renderScene({ ...shape, id, seed, side: seed % 2 === 0 ? 0.6 : -0.6, camera, balance }, around)
      }),
    )
  }
  return rows
}

async function backgrounds({ names, load, run }) {
  const rows = []
  for (const name of names) {
    const picture = await load(name, 800)
    const row = [picture]
    for (const scene of [
      'lobby',
      'esplanade',
      'park',
      'beach',
      'beach-sunset',
      'cafe-terrace',
      'rice-field',
      'sunset',
      'table',
      'brick',
    ]) {
      row.push(...(await run('background-diffusion', { picture: [picture] }, [{ scene, variants: 1 }])).pictures)
    }
    rows.push(row)
  }
  return rows
}

async function coloured({ names, load, image, run }) {
  const rows = []
  for (const name of names) {
    const picture = await load(name, 700)
    const grey = await decodePicture(await image(picture).greyscale().png().toBuffer())
    rows.push([grey, ...(await run('colorizer', { picture: [grey] })).pictures, picture])
  }
  return rows
}

async function layouts({ names, load, run }) {
  const pictures = await Promise.all([...names, ...names].slice(0, 8).map((name) => load(name, 900)))
  const rows = []
  for (const count of layoutCounts) {
    const inputs = { pictures: pictures.slice(0, count), background: [] }
    const row = []
    for (const [n, { id }] of layoutTemplates[count].entries()) {
      const params = {
        template: id.slice(2),
        shape: ['1:1', '4:5', '3:2', 'a4', '9:16', '4r'][n % 6],
        gap: 0.01 * (n % 4),
        radius: 0.1 * (n % 3),
        text: n % 2 ? 'Liburan di Bali' : '',
      }
      row.push(...(await run('photo-layout', inputs, [params])).pictures)
    }
    rows.push(row)
  }
  return rows
}

export const pictureSheets = { holes, objects, enhanced, scenes, backgrounds, coloured, layouts }
