import { brandName } from '#shared/brand.ts'

const margin = 56
const ink = '#1f1d1a'
const mutedColour = '#6b665e'
const line = '#d9d4cc'

export interface Receipt {
  number: string
  title: string
  facts: [label: string, value: string][]
  head: [item: string, amount: string]
  items: { text: string; note: string; amount: string }[]
  total: [label: string, amount: string]
  /** Contained in the total. */
  taxes: [label: string, amount: string][]
  rate: string
}

/** A4; the same receipt gives the same bytes. */
export async function drawReceipt(receipt: Receipt, date: Date | null): Promise<Uint8Array> {
  // Loaded on first use, since most processes never draw a receipt.
  const { default: PDFDocument } = await import('pdfkit')
  const stamp = date ?? new Date(0)
  const page = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: `${receipt.title} ${receipt.number}`, Author: brandName, CreationDate: stamp, ModDate: stamp },
  })
  const chunks: Uint8Array[] = []
  page.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    page.on('end', resolve)
    page.on('error', reject)
  })

  const width = page.page.width - 2 * margin
  const right = { width, align: 'right' as const }
  const writeText = (text: string, x: number, y: number, options: PDFKit.Mixins.TextOptions = {}) =>
    page.text(printable(text), x, y, { lineBreak: false, ...options })
  const rule = (y: number) =>
    page
      .moveTo(margin, y)
      .lineTo(margin + width, y)
      .lineWidth(0.75)
      .stroke(line)

  page.font('Helvetica-Bold').fontSize(22).fillColor(ink)
  writeText(brandName, margin, margin)
  writeText(receipt.title, margin, margin, right)
  let y = margin + 52
  for (const [label, value] of receipt.facts) {
    page.font('Helvetica').fontSize(10).fillColor(mutedColour)
    writeText(label, margin, y)
    page.fillColor(ink)
    const box = { width: width - 150, lineBreak: true, height: 40, ellipsis: true }
    writeText(value, margin + 150, y, box)
    y += Math.min(40, page.heightOfString(printable(value), { width: box.width })) + 6
  }

  y += 18
  page.font('Helvetica-Bold').fontSize(10).fillColor(mutedColour)
  writeText(receipt.head[0], margin, y)
  writeText(receipt.head[1], margin, y, right)
  rule(y + 18)
  y += 30
  for (const { text, note, amount } of receipt.items) {
    page.font('Helvetica').fontSize(12).fillColor(ink)
    writeText(text, margin, y)
    writeText(amount, margin, y, right)
    if (note) {
      page.fontSize(10).fillColor(mutedColour)
      writeText(note, margin, y + 17)
    }
    y += note ? 42 : 26
  }
  rule(y)
  y += 14
  page.font('Helvetica-Bold').fontSize(14).fillColor(ink)
  writeText(receipt.total[0], margin, y)
  writeText(receipt.total[1], margin, y, right)
  y += 32
  page.font('Helvetica').fontSize(10)
  for (const [label, amount] of receipt.taxes) {
    page.fillColor(mutedColour)
    writeText(label, margin, y)
    page.fillColor(ink)
    writeText(amount, margin, y, right)
    y += 17
  }
  page.fontSize(9).fillColor(mutedColour)
  writeText(receipt.rate, margin, y + (receipt.taxes.length > 0 ? 8 : 0))
  page.end()
  await ended
  return Buffer.concat(chunks)
}

/**
 * The PDF's standard fonts have only Windows-1252: drops accents of other letters, and replaces
 * remaining unknown characters by question marks.
 */
function printable(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => (known(letter) ? letter : letter.normalize('NFD').replace(/\p{M}/gu, '')))
    .map((letter) => (known(letter) ? letter : '?'))
    .join('')
}

function known(letter: string): boolean {
  return /^[\x20-\x7e\xa0-\xff€–—‘’“”•…™ŠšŽžŒœŸ]*$/.test(letter)
}
