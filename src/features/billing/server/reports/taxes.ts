import { type SQL, sql } from 'drizzle-orm'
import { type Executor, rows } from '#server/db/database.ts'
import { isDuring, type Moments } from '#server/db/days.ts'
import { appError } from '#server/http/app-error.ts'
import { wibDay } from '#shared/time.ts'
import type { revenueInput, TaxReport, TaxRow } from '../../admin/report-schemas.ts'
import { toNpwp } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { invoiceName } from '../orders/view-order.ts'
import { orders } from '../tables/orders.ts'
import { orderRefunds } from '../tables/payments.ts'

type Period = typeof revenueInput.infer

/** Limit of Coretax for one file. */
const maxInvoicesPerFile = 1000

// Includes the last millisecond of the period.
const momentsOf = ({ from, to }: Period): Moments => ({ from, to: to && new Date(to.getTime() + 1) })

const isInvoice = sql`${orders.invoiceNumber} is not null`
const hasNpwp = sql`${orders.ppnPercent} is not null and ${orders.invoiceBuyer} is not null`

/** Invoices on the day of payment, refunds on the day they were sent. */
export async function readTaxReport({ db }: Pick<BillingDeps, 'db'>, period: Period): Promise<TaxReport> {
  const during = momentsOf(period)
  const sums = (amount: SQL, ppn: SQL) =>
    sql`count(*) as count, coalesce(sum(${amount}), 0) as "totalIdr", coalesce(sum(${ppn}), 0) as "ppnIdr"`
  const ofOrders = sums(sql`${orders.totalIdr}`, sql`${orders.ppnIdr}`)
  const found = await rows<{ kind: string; count: string; totalIdr: string; ppnIdr: string }>(
    db,
    sql`
    select case when ${orders.ppnPercent} is null then 'untaxed' when ${orders.invoiceBuyer} is null then 'retail'
        else 'business' end as kind, ${ofOrders}
      from ${orders} where ${isInvoice} and ${isDuring(orders.paidAt, during)} group by 1
    union all select 'refunds', ${sums(sql`${orderRefunds.amountIdr}`, sql`${orderRefunds.ppnIdr}`)}
      from ${orderRefunds} where ${isDuring(orderRefunds.createdAt, during)}`,
  )
  const sumOf = (kind: string): TaxReport['refunds'] => {
    const sum = found.find((row) => row.kind === kind)
    const [totalIdr, ppnIdr] = [Number(sum?.totalIdr ?? 0), Number(sum?.ppnIdr ?? 0)]
    return { count: Number(sum?.count ?? 0), totalIdr, baseIdr: totalIdr - ppnIdr, ppnIdr }
  }
  const [business, retail, refunds] = [sumOf('business'), sumOf('retail'), sumOf('refunds')]
  return {
    business,
    retail,
    untaxed: sumOf('untaxed'),
    refunds,
    payableIdr: business.ppnIdr + retail.ppnIdr - refunds.ppnIdr,
    files: Math.ceil(business.count / maxInvoicesPerFile),
  }
}

/** Invoices and refunds in the order of time; the amounts of refunds are negative. */
export async function listTaxRows({ db }: Pick<BillingDeps, 'db'>, period: Period): Promise<TaxRow[]> {
  const during = momentsOf(period)
  const row = (kind: 'invoice' | 'refund', at: SQL, amount: SQL, ppn: SQL) => sql`
    ${sql.raw(`'${kind}'`)} as kind, ${at} as at, ${orders.id} as "orderId", ${orders.invoiceYear} as "invoiceYear",
      ${orders.invoiceNumber} as "invoiceNumber", ${orders.ppnPercent} as "ppnPercent",
      ${orders.invoiceBuyer} as buyer, (${amount})::bigint as "totalIdr", (${ppn})::bigint as "ppnIdr"`
  const found = await rows<Omit<TaxRow, 'totalIdr' | 'ppnIdr'> & { at: string; totalIdr: string; ppnIdr: string }>(
    db,
    sql`
    select ${row('invoice', sql`${orders.paidAt}`, sql`${orders.totalIdr}`, sql`${orders.ppnIdr}`)}
      from ${orders} where ${isInvoice} and ${isDuring(orders.paidAt, during)}
    union all
    select ${row('refund', sql`${orderRefunds.createdAt}`, sql`-${orderRefunds.amountIdr}`, sql`-${orderRefunds.ppnIdr}`)}
      from ${orderRefunds} join ${orders} on ${orders.id} = ${orderRefunds.orderId}
      where ${isDuring(orderRefunds.createdAt, during)}
    order by 2, 3`,
  )
  return found.map(({ at, totalIdr, ppnIdr, ...rest }) => ({
    ...rest,
    day: wibDay(new Date(at)),
    totalIdr: Number(totalIdr),
    ppnIdr: Number(ppnIdr),
  }))
}

/** Invoices with PPN to buyers with an NPWP, as Coretax imports them; `part` counts from 1. */
export async function efakturFile(
  { db, config }: Pick<BillingDeps, 'db' | 'config'>,
  { part, ...period }: Period & { part: number },
): Promise<string> {
  const seller = toNpwp(config.payment.seller.npwp ?? '')
  if (seller === null) throw appError('tax.no_npwp')
  const invoices = await invoicesOf(db, period, part)
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<TaxInvoiceBulk xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="TaxInvoice.xsd">',
    element('TIN', seller),
    '<ListOfTaxInvoice>',
    ...invoices.map((invoice) => taxInvoice(invoice, seller)),
    '</ListOfTaxInvoice>',
    '</TaxInvoiceBulk>',
    '',
  ].join('\n')
}

type Invoice = Pick<
  typeof orders.$inferSelect,
  'paidAt' | 'invoiceYear' | 'invoiceNumber' | 'packageName' | 'packageCredits' | 'totalIdr' | 'ppnIdr' | 'invoiceBuyer'
>

async function invoicesOf(db: Executor, period: Period, part: number): Promise<Invoice[]> {
  const { paidAt, invoiceYear, invoiceNumber, packageName, packageCredits, totalIdr, ppnIdr, invoiceBuyer } = orders
  return await db
    .select({ paidAt, invoiceYear, invoiceNumber, packageName, packageCredits, totalIdr, ppnIdr, invoiceBuyer })
    .from(orders)
    .where(sql`${isInvoice} and ${hasNpwp} and ${isDuring(paidAt, momentsOf(period))}`)
    .orderBy(invoiceYear, invoiceNumber)
    .limit(maxInvoicesPerFile)
    .offset((part - 1) * maxInvoicesPerFile)
}

/** Head office of a tax number. */
const nitkuOf = (npwp: string) => `${npwp}000000`

/** The spelling `BuyerAdress` is that of the tax office. */
function taxInvoice(invoice: Invoice, seller: string): string {
  const { paidAt, invoiceBuyer: buyer, packageName, packageCredits, totalIdr, ppnIdr } = invoice
  const baseIdr = totalIdr - ppnIdr
  const contents = packageCredits === null ? 'tanpa batas' : `${packageCredits} kredit`
  return [
    '<TaxInvoice>',
    element('TaxInvoiceDate', wibDay(paidAt ?? new Date(0))),
    element('TaxInvoiceOpt', 'Normal'),
    // Another tax base: 11/12 of the price (PMK 131/2024).
    element('TrxCode', '04'),
    ...['AddInfo', 'CustomDoc', 'CustomDocMonthYear'].map((name) => element(name, '')),
    element('RefDesc', invoiceName(invoice) ?? ''),
    element('FacilityStamp', ''),
    element('SellerIDTKU', nitkuOf(seller)),
    element('BuyerTin', buyer?.npwp ?? ''),
    element('BuyerDocument', 'TIN'),
    element('BuyerCountry', 'IDN'),
    element('BuyerDocumentNumber', ''),
    element('BuyerName', buyer?.company ?? ''),
    element('BuyerAdress', buyer?.address ?? ''),
    element('BuyerEmail', ''),
    element('BuyerIDTKU', nitkuOf(buyer?.npwp ?? '')),
    '<ListOfGoodService>',
    '<GoodService>',
    // B: a service.
    element('Opt', 'B'),
    element('Code', '000000'),
    element('Name', `Paket ${packageName ?? ''} (${contents})`),
    // Other units.
    element('Unit', 'UM.0033'),
    element('Price', baseIdr),
    element('Qty', 1),
    element('TotalDiscount', 0),
    element('TaxBase', baseIdr),
    element('OtherTaxBase', Math.round((baseIdr * 1100) / 12) / 100),
    element('VATRate', 12),
    element('VAT', ppnIdr),
    element('STLGRate', 0),
    element('STLG', 0),
    '</GoodService>',
    '</ListOfGoodService>',
    '</TaxInvoice>',
  ].join('\n')
}

/** Escapes markup, and drops characters that XML 1.0 forbids. */
function element(name: string, value: string | number): string {
  const text = String(value)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the forbidden characters.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  return text === '' ? `<${name}/>` : `<${name}>${text}</${name}>`
}
