import type { Picture } from '#engine/image/picture.ts'

/** A sample that has been drawn, as a data URL. */
export interface Sample {
  name: string
  url: string
}

/**
 * Makes the web worker that calls it draw small pictures, one for each name, of what its page sends
 * (`useSamples`).
 */
export function serveSamples<Name extends string, Order>(
  names: readonly Name[],
  prepare: (order: Order) => Promise<(name: Name) => Picture> | ((name: Name) => Picture),
): void {
  const drawAll = async (order: Order) => {
    const draw = await prepare(order)
    for (const name of names) postMessage({ name, url: await dataUrl(draw(name)) } satisfies Sample)
  }
  // A picture that cannot be read has no samples; there is one order for each worker.
  addEventListener('message', ({ data }: MessageEvent<Order>) => {
    void drawAll(data)
      .catch(() => {})
      .finally(() => close())
  })
}

async function dataUrl({ width, height, data }: Picture): Promise<string> {
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0)
  const reader = new FileReader()
  reader.readAsDataURL(await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 }))
  await new Promise((resolve, reject) => {
    reader.onload = resolve
    reader.onerror = reject
  })
  return reader.result as string
}
