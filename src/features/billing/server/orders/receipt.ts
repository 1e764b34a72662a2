import { and, eq } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import { appError } from '#server/http/app-error.ts'
import { translate } from '#server/i18n.ts'
import { brandName } from '#shared/brand.ts'
import type { Language } from '#shared/language.ts'
import { paymentMethods } from '../../payment-methods.ts'
import type { BillingDeps } from '../deps.ts'
import { orders, type ReceiptParties, receipts } from '../tables/orders.ts'
import type { Order } from './order-record.ts'
import { formatIdr, formatUsd, formatWib, localeOf } from './price.ts'
import { invoiceName, receiptNumber } from './view-order.ts'

/**
 * Draws the PDF once, from the data frozen in the order, and stores it: the bytes stay the same
 * whatever changes in the program or the account.
 */
export async function receiptFile(
  { db, config, clock }: Pick<BillingDeps, 'db' | 'config' | 'clock'>,
  { orderId, userId, language }: { orderId: string; userId: string; language: Language },
): Promise<{ number: string; name: string; bytes: Uint8Array }> {
  const [found] = await db
    .select({ order: orders, buyer: users.name })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId)))
  if (!found) throw appError('order.not_found')
  const { order } = found
  if (order.receipt === null || order.paidAt === null) throw appError('order.not_paid')
  const number = receiptNumber(order.receipt)
  const parties = order.receiptParties ?? { buyer: found.buyer, seller: config.payment.seller }
  const kept = async () => {
    const mine = and(eq(receipts.orderId, orderId), eq(receipts.language, language))
    const [row] = await db.select({ bytes: receipts.bytes }).from(receipts).where(mine)
    return row?.bytes
  }
  let bytes = await kept()
  if (!bytes) {
    const drawn = await drawReceipt(
      receiptTexts(order, { number, paidAt: order.paidAt, parties }, language),
      order.paidAt,
    )
    await db.insert(receipts).values({ orderId, language, bytes: drawn, createdAt: clock() }).onConflictDoNothing()
    bytes = (await kept()) ?? drawn
  }
  // The number that the pages show.
  const shown = invoiceName(order) ?? number
  return { number: shown, name: `${shown.replaceAll('/', '-')}.pdf`, bytes }
}

const pair = (label: string, value: string): [string, string] => [label, value]

function receiptTexts(
  order: Order,
  { number, paidAt, parties }: { number: string; paidAt: Date; parties: ReceiptParties },
  language: Language,
): Receipt {
  const say = (id: `receipt.${string}`, values?: Record<string, string | number>) => translate(language, id, values)
  const count = new Intl.NumberFormat(localeOf(language))
  const items: Receipt['items'] = []
  if (order.packageName !== null && order.packageDays !== null) {
    const days = order.packageDays
    items.push({
      text: `${order.packageName} (${formatUsd(order.packageCents, language)})`,
      note:
        order.packageCredits === null
          ? say('receipt.unlimited', { days })
          : say('receipt.credits', { credits: count.format(order.packageCredits), days }),
      amount: formatIdr(order.subtotalIdr),
    })
  }
  if (order.voucherCode !== null && order.voucherCredits > 0) {
    items.push({
      text: say('receipt.voucher', { code: order.voucherCode }),
      note: say('receipt.credits', { credits: count.format(order.voucherCredits), days: order.voucherDays ?? 0 }),
      amount: formatIdr(0),
    })
  }
  const { transferDigits } = order
  if (order.voucherCode !== null && order.discountIdr > transferDigits) {
    items.push({
      text: say('receipt.discount', { code: order.voucherCode }),
      note: '',
      amount: `- ${formatIdr(order.discountIdr - transferDigits)}`,
    })
  }
  if (transferDigits > 0)
    items.push({ text: say('receipt.transfer_digits'), note: '', amount: `- ${formatIdr(transferDigits)}` })
  const { buyer, seller } = parties
  const { ppnIdr, ppnPercent, invoiceBuyer } = order
  const invoice = invoiceName(order)
  return {
    number: invoice ?? number,
    title: say(invoice ? 'receipt.invoice' : 'receipt.title'),
    facts: [
      ...(invoice ? [pair(say('receipt.number'), invoice)] : []),
      pair(say(invoice ? 'receipt.title' : 'receipt.number'), number),
      [say('receipt.date'), formatWib(paidAt, language)],
      [say('receipt.order'), order.id],
      [say('receipt.seller'), seller.name],
      ...(seller.address === null ? [] : [pair(say('receipt.address'), seller.address)]),
      ...(seller.npwp === null ? [] : [pair(say('receipt.npwp'), seller.npwp)]),
      [say('receipt.buyer'), invoiceBuyer?.company ?? buyer],
      ...(invoiceBuyer
        ? [pair(say('receipt.address'), invoiceBuyer.address), pair(say('receipt.npwp'), invoiceBuyer.npwp)]
        : []),
      [say('receipt.method'), order.method === null ? say('receipt.no_method') : paymentMethods[order.method].name],
    ],
    head: [say('receipt.item'), say('receipt.amount')],
    items,
    total: [say('receipt.total'), formatIdr(order.totalIdr)],
    taxes:
      ppnPercent === null || order.totalIdr === 0
        ? []
        : [
            pair(say('receipt.tax_base'), formatIdr(order.totalIdr - ppnIdr)),
            pair(say('receipt.ppn', { percent: ppnPercent }), formatIdr(ppnIdr)),
          ],
    rate: say('receipt.rate', { rate: formatIdr(order.idrPerUsd) }),
  }
}

const margin = 56
const ink = '#1f1d1a'
const mutedColour = '#6b665e'
const line = '#d9d4cc'

interface Receipt {
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
async function drawReceipt(receipt: Receipt, date: Date | null): Promise<Uint8Array> {
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
