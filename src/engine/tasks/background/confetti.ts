import { addEllipse, addShape, type Canvas, createCanvas, type Light, layOn, paint } from './canvas.ts'
import { defocus } from './lens.ts'
import { colourOf, type Scene, type SceneBrief } from './scene.ts'
import { lightOf, pool, scaled } from './shading.ts'

const backdrops = ['#f3d3d6', '#d5e4f1', '#f4e6c8', '#dcd6ee', '#d4ecdd'].map(lightOf)
const papers = ['#e2506a', '#f2b134', '#4aa3df', '#57b894', '#8d6ad0', '#f6f1e7', '#ee8a4a'].map(lightOf)
const gold = lightOf('#e0b04c')

/** Paper confetti falling in front of a plain backdrop, at four distances, one of them in focus. */
export const confetti: Scene = (brief) => {
  const { width, height, chance, side } = brief
  const backdrop = colourOf(brief, chance.pick(backdrops))
  let canvas = createCanvas(width, height)
  paint(canvas, (x, y, out) => {
    const light = 0.66 + 0.4 * pool(x - 0.4 * side, y - 0.3, 0.8, 0.8) + 0.01 * chance.noise(50 * x, 50 * y)
    for (let c = 0; c < 3; c++) out[c] = (backdrop[c] as number) * light
  })
  for (const { count, size, blur } of [
    { count: 60, size: 0.008, blur: 0.009 },
    { count: 70, size: 0.013, blur: 0.0018 },
    { count: 26, size: 0.02, blur: 0.011 },
    { count: 9, size: 0.036, blur: 0.034 },
  ]) {
    const layer = createCanvas(width, height, true)
    for (let i = 0; i < count; i++) addPiece(layer, brief, size)
    layOn(canvas, defocus(layer, blur))
    canvas = { ...canvas }
  }
  return canvas
}

function addPiece(layer: Canvas, { chance, width, height, wishes }: SceneBrief, size: number): void {
  const wide = (0.55 * width) / height
  const paper: Light = chance.next() < 0.2 ? gold : (wishes.colours[1] ?? chance.pick(papers))
  const colour = scaled(paper, chance.between(0.55, 1.25))
  const [x, y] = [chance.between(-wide, wide), chance.next() ** 1.25 * 1.05]
  const turn = chance.between(0, Math.PI)
  const long = size * chance.between(0.7, 1.3)
  const high = long * chance.between(0.15, 0.8)
  if (chance.next() < 0.3) {
    addEllipse(layer, { x, y, wide: long, high, turn }, colour)
    return
  }
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const soft = layer.height
  const box = { left: x - 1.5 * long, right: x + 1.5 * long, top: y - 1.5 * long, bottom: y + 1.5 * long }
  addShape(layer, box, colour, (px, py) => {
    const a = Math.abs((px - x) * cos + (py - y) * sin)
    const b = Math.abs((py - y) * cos - (px - x) * sin)
    return Math.min(1, Math.max(0, Math.min(long - a, high - b) * soft + 0.5))
  })
}
