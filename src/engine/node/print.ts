import type { PrintPage } from '#engine/image/picture.ts'
import { pipeline } from './codecs.ts'

const pointsPerMillimetre = 72 / 25.4
const quality = 95

/**
 * A PDF with a page for every picture, which fills it to its edges; pages have exactly the
 * millimetres that they are told to have.
 */
export async function encodePrint(pages: readonly PrintPage[]): Promise<Uint8Array> {
  // Loaded where it is used: most runs print nothing.
  const { default: PDFDocument } = await import('pdfkit')
  const stamp = new Date(0)
  const document = new PDFDocument({ autoFirstPage: false, margin: 0, info: { CreationDate: stamp, ModDate: stamp } })
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    document.on('end', resolve)
    document.on('error', reject)
  })
  for (const { picture, millimetres } of pages) {
    const width = millimetres.width * pointsPerMillimetre
    const height = millimetres.height * pointsPerMillimetre
    const jpeg = await pipeline(picture)
      .flatten({ background: '#ffffff' })
      .jpeg({ quality, chromaSubsampling: '4:4:4' })
      .toBuffer()
    document.addPage({ size: [width, height], margin: 0 })
    document.image(jpeg, 0, 0, { width, height })
  }
  document.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}
