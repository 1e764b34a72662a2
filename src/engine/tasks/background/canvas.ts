/** Linear light, 1 is white in full light; lamps may be far brighter. */
export type Light = readonly [red: number, green: number, blue: number]

/**
 * A picture in linear light while a scene is being made, a plane a colour; `cover` where it is a
 * layer that lets others through.
 */
export interface Canvas {
  width: number
  height: number
  red: Float32Array
  green: Float32Array
  blue: Float32Array
  /** Share of each pixel that the layer covers, 0 to 1; colours are premultiplied with it. */
  cover?: Float32Array
}

/** A black canvas, or an empty layer. */
export function createCanvas(width: number, height: number, layer = false): Canvas {
  const plane = () => new Float32Array(width * height)
  return { width, height, red: plane(), green: plane(), blue: plane(), ...(layer && { cover: plane() }) }
}

/** What is set for a pixel: red, green, blue, and how much of it is covered. */
export type Sample = [red: number, green: number, blue: number, cover: number]

/**
 * Sets every pixel. `x` and `y` are in heights of the picture: y from 0 at the top to 1, x from 0
 * in the middle. `out` comes as opaque black.
 */
export function paint(canvas: Canvas, sample: (x: number, y: number, out: Sample) => void): void {
  const { width, height, red, green, blue, cover } = canvas
  const out: Sample = [0, 0, 0, 1]
  for (let row = 0, i = 0; row < height; row++) {
    const y = (row + 0.5) / height
    for (let column = 0; column < width; column++, i++) {
      out[0] = out[1] = out[2] = 0
      out[3] = 1
      sample((column + 0.5 - width / 2) / height, y, out)
      const share = cover ? out[3] : 1
      red[i] = out[0] * share
      green[i] = out[1] * share
      blue[i] = out[2] * share
      if (cover) cover[i] = share
    }
  }
}

/** Covers the canvas with a layer, in place. */
export function layOn(canvas: Canvas, layer: Canvas): void {
  const { cover } = layer
  if (!cover) return
  for (const name of ['red', 'green', 'blue'] as const) {
    const [under, over] = [canvas[name], layer[name]]
    for (let i = 0; i < under.length; i++)
      under[i] = (over[i] as number) + (under[i] as number) * (1 - (cover[i] as number))
  }
  if (canvas.cover) {
    const own = canvas.cover
    for (let i = 0; i < own.length; i++) own[i] = (cover[i] as number) + (own[i] as number) * (1 - (cover[i] as number))
  }
}

/**
 * Lays a shape of one colour over the canvas: `inside` gives its cover, 0 to 1, within the box in
 * heights of the picture.
 */
export function addShape(
  canvas: Canvas,
  box: { left: number; right: number; top: number; bottom: number },
  colour: Light,
  inside: (x: number, y: number) => number,
): void {
  const { width, height, red, green, blue, cover } = canvas
  const columns = (x: number) => x * height + width / 2 - 0.5
  const left = Math.max(0, Math.floor(columns(box.left)))
  const right = Math.min(width - 1, Math.ceil(columns(box.right)))
  const top = Math.max(0, Math.floor(box.top * height - 0.5))
  const bottom = Math.min(height - 1, Math.ceil(box.bottom * height - 0.5))
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const share = inside((column + 0.5 - width / 2) / height, (row + 0.5) / height)
      if (share <= 0) continue
      const i = row * width + column
      red[i] = (red[i] as number) * (1 - share) + share * colour[0]
      green[i] = (green[i] as number) * (1 - share) + share * colour[1]
      blue[i] = (blue[i] as number) * (1 - share) + share * colour[2]
      if (cover) cover[i] = (cover[i] as number) * (1 - share) + share
    }
  }
}

/** An upright rectangle, its edges as sharp as pixels are. */
export function addBox(canvas: Canvas, left: number, top: number, right: number, bottom: number, colour: Light): void {
  const pixel = canvas.height
  const within = (value: number, low: number, high: number) =>
    Math.min(1, Math.max(0, 0.5 + pixel * Math.min(value - low, high - value)))
  addShape(canvas, { left, right, top, bottom }, colour, (x, y) => within(x, left, right) * within(y, top, bottom))
}

/** An ellipse, turned by an angle in radians. */
export function addEllipse(
  canvas: Canvas,
  { x, y, wide, high, turn = 0 }: { x: number; y: number; wide: number; high: number; turn?: number },
  colour: Light,
  share = 1,
): void {
  const reach = Math.max(wide, high)
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const soft = canvas.height * Math.min(wide, high)
  addShape(canvas, { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach }, colour, (px, py) => {
    const a = ((px - x) * cos + (py - y) * sin) / wide
    const b = ((py - y) * cos - (px - x) * sin) / high
    return share * Math.min(1, Math.max(0, (1 - Math.sqrt(a * a + b * b)) * soft + 0.5))
  })
}

/**
 * Adds a bright point that lies far out of focus: a disc with a soft edge, a little brighter at its
 * rim, fringed in red outside and blue inside, and cut to the shape of a cat's eye towards the
 * picture's corners (Merklinger 1992).
 */
export function addBokeh(canvas: Canvas, x: number, y: number, radius: number, colour: Light): void {
  const { width, height } = canvas
  const reach = 1.06 * radius
  const left = Math.max(0, Math.floor((x - reach) * height + width / 2))
  const right = Math.min(width - 1, Math.ceil((x + reach) * height + width / 2))
  const top = Math.max(0, Math.floor((y - reach) * height))
  const bottom = Math.min(height - 1, Math.ceil((y + reach) * height))
  const soft = Math.max(radius * 0.06, 1.2 / height)
  const [cutX, cutY] = [-0.28 * radius * x * 1.6, -0.28 * radius * (y - 0.5) * 1.6]
  const sizes = [1.03, 1, 0.97] as const
  const planes = [canvas.red, canvas.green, canvas.blue] as const
  for (let row = top; row <= bottom; row++) {
    const dy = (row + 0.5) / height - y
    for (let column = left; column <= right; column++) {
      const dx = (column + 0.5 - width / 2) / height - x
      const away = Math.sqrt(dx * dx + dy * dy)
      const other = Math.sqrt((dx - cutX) ** 2 + (dy - cutY) ** 2)
      const i = row * width + column
      for (let c = 0; c < 3; c++) {
        const edge = radius * (sizes[c] as number)
        const share = Math.min((edge - away) / soft, (edge * 1.02 - other) / soft, 1)
        if (share <= 0) continue
        const rim = 1 + 0.35 * (away / edge) ** 6
        const plane = planes[c] as Float32Array
        plane[i] = (plane[i] as number) + share * rim * (colour[c] as number)
      }
    }
  }
}
