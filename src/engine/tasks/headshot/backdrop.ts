import { cloudNoise, randomSequence } from '#engine/image/noise.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane, smoothRows } from '#engine/image/plane.ts'
import { type Backdrop, type BackdropName, backdrops, type Light } from './backdrops.ts'

/**
 * Backdrops are soft: they are worked out at this longer side, then enlarged, and only their grain
 * is made at full size.
 */
const workSide = 420

/** Red, green and blue of linear light. */
type Scene = readonly [Plane, Plane, Plane]

/**
 * A studio backdrop of the given size, opaque. It is worked out in linear light and far out of
 * focus, with the falloff of a lamp, so that it looks photographed; `grain` is the standard
 * deviation of the film grain, 0 to 1.
 */
export function renderBackdrop(name: BackdropName, width: number, height: number, grain: number): Picture {
  const scale = Math.min(1, workSide / Math.max(width, height))
  const size = { width: Math.max(2, Math.round(width * scale)), height: Math.max(2, Math.round(height * scale)) }
  return develop(sceneOf(backdrops[name], size), width, height, grain)
}

interface Size {
  width: number
  height: number
}

function sceneOf(backdrop: Backdrop, size: Size): Scene {
  switch (backdrop.kind) {
    case 'sweep':
      return sweep(backdrop, size)
    case 'canvas':
      return canvas(backdrop, size)
    case 'window':
      return windowLight(backdrop, size)
    case 'place':
      return { office, garden, evening }[backdrop.scene](size)
  }
}

function emptyScene({ width, height }: Size): Scene {
  return [createPlane(width, height), createPlane(width, height), createPlane(width, height)]
}

/**
 * How much of a lamp's light arrives: it falls off with the square of the distance, as on a wall
 * that it stands before.
 */
function falloff(x: number, y: number, { width, height }: Size, spot: { x: number; y: number; reach: number }): number {
  const unit = Math.max(width, height)
  const dx = (x - spot.x * width) / unit
  const dy = (y - spot.y * height) / unit
  const away = (dx * dx + dy * dy) / (spot.reach * spot.reach)
  return 1 / (1 + 3.2 * away) ** 1.5
}

function sweep({ lit, dark, spot, uneven }: Extract<Backdrop, { kind: 'sweep' }>, size: Size): Scene {
  const scene = emptyScene(size)
  const paper = cloudNoise(size.width, size.height, 0.5 * size.width, 3, 11)
  for (let y = 0; y < size.height; y++) {
    // The paper bends towards the camera below, where less light reaches it.
    const bend = 1 - 0.25 * Math.max(0, y / size.height - 0.62) ** 1.5
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x
      const light = falloff(x, y, size, spot) * bend * (1 + uneven * (paper.data[i] as number))
      for (let c = 0; c < 3; c++) {
        const [from, to] = [dark[c] as number, lit[c] as number]
        ;(scene[c] as Plane).data[i] = from + (to - from) * light
      }
    }
  }
  return scene
}

function canvas({ base, clouds, spot }: Extract<Backdrop, { kind: 'canvas' }>, size: Size): Scene {
  const scene = emptyScene(size)
  const wide = cloudNoise(size.width, size.height, 0.42 * size.width, 4, 5)
  const fine = cloudNoise(size.width, size.height, 0.1 * size.width, 3, 29)
  const radius = Math.max(1, Math.round(0.008 * size.width))
  const soft = boxBlur(boxBlur(fine, radius), radius)
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x
      const paint = Math.min(1, Math.max(0, 0.42 + 0.42 * (wide.data[i] as number) + 0.16 * (soft.data[i] as number)))
      const light = 0.35 + 0.95 * falloff(x, y, size, spot)
      for (let c = 0; c < 3; c++) {
        const [from, to] = [base[c] as number, clouds[c] as number]
        ;(scene[c] as Plane).data[i] = light * (from + (to - from) * paint)
      }
    }
  }
  return scene
}

function windowLight({ wall, sun }: Extract<Backdrop, { kind: 'window' }>, size: Size): Scene {
  const scene = emptyScene(size)
  const panes = createPlane(size.width, size.height)
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      // The panes are seen askew, as light that comes from the left and above draws them.
      const u = x / size.width + 0.32 * (y / size.height) - 0.28
      const v = y / size.height - 0.34 * (x / size.width) + 0.1
      const inside = u > 0.1 && u < 0.92 && v > 0.04 && v < 0.74
      const bars = Math.abs(u - 0.5) < 0.018 || Math.abs(v - 0.38) < 0.018
      panes.data[y * size.width + x] = inside && !bars ? 1 : 0
    }
  }
  const radius = Math.max(1, Math.round(0.022 * size.width))
  const light = boxBlur(boxBlur(boxBlur(panes, radius), radius), radius)
  const plaster = cloudNoise(size.width, size.height, 0.3 * size.width, 4, 17)
  const spot = { x: 0.25, y: 0.25, reach: 1.1 }
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x
      const shade = 0.45 + 0.55 * falloff(x, y, size, spot)
      const rough = 1 + 0.03 * (plaster.data[i] as number)
      for (let c = 0; c < 3; c++) {
        const value = (wall[c] as number) * shade + (sun[c] as number) * (light.data[i] as number) * 0.75
        ;(scene[c] as Plane).data[i] = value * rough
      }
    }
  }
  return scene
}

/** Adds a rectangle of light; places in shares of the picture. */
function fillBox(scene: Scene, box: { x: number; y: number; width: number; height: number }, light: Light): void {
  const { width, height } = scene[0]
  const [left, right] = [Math.max(0, Math.round(box.x * width)), Math.round((box.x + box.width) * width)]
  const [top, bottom] = [Math.max(0, Math.round(box.y * height)), Math.round((box.y + box.height) * height)]
  for (let y = top; y < Math.min(bottom, height); y++) {
    for (let x = left; x < Math.min(right, width); x++) {
      for (let c = 0; c < 3; c++) (scene[c] as Plane).data[y * width + x] = light[c] as number
    }
  }
}

/** Out of focus: three box blurs, close to what a portrait lens does to large shapes. */
function defocus(scene: Scene, share: number): Scene {
  const radius = Math.max(1, Math.round(share * Math.max(scene[0].width, scene[0].height)))
  return scene.map((plane) => boxBlur(boxBlur(boxBlur(plane, radius), radius), radius)) as unknown as Scene
}

/**
 * Discs of confusion: each small light becomes a disc with a slightly brighter rim, as lenses draw
 * it.
 */
function discs(
  scene: Scene,
  {
    count,
    seed,
    sizes,
    colours,
    rows,
  }: {
    count: number
    seed: number
    /** Radius of the smallest and the largest, as shares of the longer side. */
    sizes: readonly [number, number]
    colours: readonly Light[]
    /** Between which heights they lie. */
    rows: readonly [number, number]
  },
): void {
  const random = randomSequence(seed)
  const { width, height } = scene[0]
  const unit = Math.max(width, height)
  for (let k = 0; k < count; k++) {
    const [cx, cy] = [random() * width, (rows[0] + (rows[1] - rows[0]) * random()) * height]
    const radius = unit * (sizes[0] + (sizes[1] - sizes[0]) * random() ** 1.5)
    const colour = colours[Math.floor(random() * colours.length)] as Light
    const strength = 0.25 + 0.75 * random() ** 2
    for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(height, cy + radius + 1); y++) {
      for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius + 1); x++) {
        const away = Math.hypot(x - cx, y - cy) / radius
        if (away >= 1) continue
        const edge = Math.min(1, (1 - away) * radius * 0.5)
        const value = strength * edge * (0.75 + 0.25 * away ** 4)
        for (let c = 0; c < 3; c++) {
          const data = (scene[c] as Plane).data
          data[y * width + x] = (data[y * width + x] as number) + value * (colour[c] as number)
        }
      }
    }
  }
}

/** Windows at the left, a corridor with lamps and the dark of furniture. */
function office(size: Size): Scene {
  const scene = emptyScene(size)
  fillBox(scene, { x: 0, y: 0, width: 1, height: 1 }, [0.3, 0.29, 0.27])
  fillBox(scene, { x: 0.62, y: 0, width: 0.4, height: 1 }, [0.2, 0.185, 0.165])
  fillBox(scene, { x: 0, y: 0.66, width: 1, height: 0.34 }, [0.15, 0.135, 0.12])
  for (const [x, tall] of [
    [0.02, 0.52],
    [0.2, 0.5],
    [0.37, 0.46],
  ] as const) {
    fillBox(scene, { x, y: 0.08, width: 0.145, height: tall }, [0.85, 0.92, 1])
    fillBox(scene, { x, y: 0.08 + 0.6 * tall, width: 0.145, height: 0.4 * tall }, [0.6, 0.68, 0.7])
  }
  fillBox(scene, { x: 0.56, y: 0.2, width: 0.05, height: 0.5 }, [0.5, 0.47, 0.42])
  fillBox(scene, { x: 0.7, y: 0.3, width: 0.2, height: 0.3 }, [0.32, 0.25, 0.18])
  fillBox(scene, { x: 0.72, y: 0.33, width: 0.07, height: 0.1 }, [0.5, 0.32, 0.2])
  fillBox(scene, { x: 0.82, y: 0.45, width: 0.06, height: 0.12 }, [0.16, 0.24, 0.2])
  fillBox(scene, { x: 0.04, y: 0.7, width: 0.34, height: 0.2 }, [0.07, 0.065, 0.062])
  fillBox(scene, { x: 0.55, y: 0.74, width: 0.4, height: 0.22 }, [0.08, 0.07, 0.06])
  fillBox(scene, { x: 0.9, y: 0.5, width: 0.08, height: 0.28 }, [0.06, 0.12, 0.06])
  const soft = defocus(scene, 0.022)
  discs(soft, {
    count: 9,
    seed: 4,
    sizes: [0.02, 0.034],
    colours: [
      [0.9, 0.72, 0.45],
      [0.8, 0.75, 0.62],
    ],
    rows: [0.02, 0.3],
  })
  return defocus(soft, 0.008)
}

/** Leaves in the sun, far behind. */
function garden(size: Size): Scene {
  const scene = emptyScene(size)
  const wide = cloudNoise(size.width, size.height, 0.5 * size.width, 3, 23)
  const leaves = cloudNoise(size.width, size.height, 0.13 * size.width, 3, 41)
  for (let y = 0; y < size.height; y++) {
    const high = 1 - y / size.height
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x
      const light = Math.max(
        0.05,
        0.3 + 0.34 * high + 0.32 * (wide.data[i] as number) + 0.2 * (leaves.data[i] as number),
      )
      scene[0].data[i] = 0.26 * light * (1 + 0.3 * high)
      scene[1].data[i] = 0.38 * light
      scene[2].data[i] = 0.12 * light * (1 + 0.5 * high)
    }
  }
  const soft = defocus(scene, 0.012)
  discs(soft, {
    count: 60,
    seed: 8,
    sizes: [0.03, 0.075],
    colours: [
      [0.14, 0.19, 0.05],
      [0.2, 0.23, 0.09],
      [0.26, 0.27, 0.16],
      [0.08, 0.14, 0.05],
    ],
    rows: [-0.05, 0.75],
  })
  return defocus(soft, 0.009)
}

/** Lamps of a street at night. */
function evening(size: Size): Scene {
  const scene = emptyScene(size)
  for (let y = 0; y < size.height; y++) {
    const low = y / size.height
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x
      scene[0].data[i] = 0.018 + 0.035 * low
      scene[1].data[i] = 0.022 + 0.022 * low
      scene[2].data[i] = 0.05 - 0.02 * low
    }
  }
  discs(scene, {
    count: 46,
    seed: 12,
    sizes: [0.022, 0.066],
    colours: [
      [0.6, 0.32, 0.1],
      [0.7, 0.46, 0.2],
      [0.4, 0.16, 0.08],
      [0.12, 0.2, 0.36],
    ],
    rows: [0.18, 0.78],
  })
  return defocus(scene, 0.007)
}

/** Linear light to sRGB at full size, with grain, which also hides the steps of 8 bits. */
function develop(scene: Scene, width: number, height: number, grain: number): Picture {
  const data = new Uint8ClampedArray(width * height * 4)
  // Grain is worked out coarse and fine: film and sensors have neither single-pixel noise alone nor
  // blots.
  const dust = grainTile()
  const rows = scene.map((plane) => {
    const own = createPlane(plane.width, plane.height)
    for (let i = 0; i < own.data.length; i++) own.data[i] = 255 * encode(plane.data[i] as number)
    return smoothRows(own, width, height)
  })
  const strength = 255 * Math.max(grain, 0.004)
  for (let y = 0, i = 0; y < height; y++) {
    const [red, green, blue] = rows.map((row) => row(y)) as [Float32Array, Float32Array, Float32Array]
    const tile = (y % tileSide) * tileSide
    for (let x = 0; x < width; x++, i++) {
      const speck = strength * (dust.data[tile + (x % tileSide)] as number)
      data[4 * i] = (red[x] as number) + speck
      data[4 * i + 1] = (green[x] as number) + speck
      data[4 * i + 2] = (blue[x] as number) + speck
      data[4 * i + 3] = 255
    }
  }
  return { width, height, data }
}

/** Side of the square of grain that is laid side by side: nobody sees where noise repeats. */
const tileSide = 384

function grainTile(): Plane {
  const random = randomSequence(3)
  const noise = createPlane(tileSide, tileSide)
  for (let i = 0; i < noise.data.length; i++) noise.data[i] = random() + random() + random() - 1.5
  const soft = boxBlur(noise, 1)
  for (let i = 0; i < noise.data.length; i++) {
    noise.data[i] = 1.1 * (noise.data[i] as number) + 2.2 * (soft.data[i] as number)
  }
  return noise
}

/** The sRGB transfer curve; what is brighter than white bends towards it. */
function encode(light: number): number {
  const value = light > 0.8 ? 0.8 + 0.2 * (1 - Math.exp((0.8 - light) / 0.2)) : Math.max(0, light)
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
}
