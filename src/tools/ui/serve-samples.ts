import type { Picture } from '#engine/image/picture.ts'

export interface Sample {
  name: string
  url: string
}

type Draw<Name> = (name: Name) => Picture | Promise<Picture>

/**
 * Makes the calling web worker draw a sample for each name from the page's order (`useSamples`).
 */
export function serveSamples<Name extends string, Order>(
  names: readonly Name[] | (() => Promise<readonly Name[]>),
  prepare: (order: Order) => Promise<Draw<Name>> | Draw<Name>,
): void {
  const drawAll = async (order: Order) => {
    const draw = await prepare(order)
    for (const name of typeof names === 'function' ? await names() : names)
      postMessage({ name, url: await dataUrl(await draw(name)) } satisfies Sample)
  }
  // An unreadable picture has no samples; each worker gets one order.
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
