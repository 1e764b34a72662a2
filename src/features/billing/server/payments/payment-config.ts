import type { ReadConfig } from '#server/config.ts'
import { integer, listOf } from '#server/config-values.ts'
import { brandName } from '#shared/brand.ts'
import { type MethodId, paymentMethods } from '../../payment-methods.ts'
import { type DriverId, maxIdrPerUsd, ppnPercent, toNpwp } from '../../rules.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    payment: PaymentConfig
  }
}

interface ManualAccount {
  method: MethodId
  number: string
  holder: string
}

export interface XenditConfig {
  secretKey: string
  callbackToken: string
  baseUrl: URL
}

export interface Seller {
  name: string
  address: string | null
  /** The tax number in the tax office's notation. */
  npwp: string | null
}

export interface PaymentConfig {
  /** In the order of PAYMENTS: the first one that offers a method serves it. */
  drivers: DriverId[]
  /** The simulator also serves other machines than this one. */
  simulatorForAll: boolean
  /** Until an admin sets another rate. */
  idrPerUsd: number
  manualAccounts: ManualAccount[]
  xendit: XenditConfig | undefined
  seller: Seller
  /** Rate of the PPN that prices include; null for a seller that charges none. */
  ppnPercent: number | null
}

const known = ['simulator', 'manual', 'xendit'] as const satisfies DriverId[]
const tokenMinLength = 16

export const readPaymentConfig: ReadConfig<PaymentConfig> = (read, loopback) => {
  const names = listOf(read('PAYMENTS') ?? (loopback ? 'simulator' : ''))
  const drivers = known.filter((driver) => names.includes(driver)).sort((a, b) => names.indexOf(a) - names.indexOf(b))
  if (drivers.length !== names.length)
    return { problem: `PAYMENTS must be a comma list of ${known.join(', ')}, each at most once` }
  const simulatorForAll = read('ALLOW_SIMULATOR') === '1'
  if (drivers.includes('simulator') && !loopback && !simulatorForAll) {
    return {
      problem: 'PAYMENTS has the simulator, which gives credits away: on a public PUBLIC_URL set ALLOW_SIMULATOR=1 too',
    }
  }

  const idrPerUsd = integer('IDR_PER_USD', read('IDR_PER_USD') ?? '16500', 1, maxIdrPerUsd)

  const manualAccounts: ManualAccount[] = []
  for (const entry of drivers.includes('manual') ? listOf(read('MANUAL_ACCOUNTS') ?? '') : []) {
    const [method = '', number = '', holder = '', ...rest] = entry.split(':').map((part) => part.trim())
    const bank = Object.values(paymentMethods).find(({ id, kind }) => id === method && kind === 'bank')
    if (!bank || !/^[\d -]{5,30}$/.test(number) || holder === '' || rest.length > 0)
      return { problem: 'MANUAL_ACCOUNTS must be a comma list such as bca:1234567890:PT Contoh' }
    manualAccounts.push({ method: bank.id, number, holder })
  }
  if (drivers.includes('manual') && manualAccounts.length === 0)
    return {
      problem: 'MANUAL_ACCOUNTS is required when PAYMENTS has manual: the bank accounts that buyers transfer to',
    }

  const seller = {
    name: read('SELLER_NAME') ?? brandName,
    address: read('SELLER_ADDRESS') ?? null,
    npwp: read('SELLER_NPWP') ?? null,
  }
  if (seller.npwp !== null && toNpwp(seller.npwp) === null)
    return { problem: 'SELLER_NPWP must be a tax number of 15 or 16 digits, such as 01.234.567.8-901.000' }

  const ppn = read('SELLER_PPN') ?? 'off'
  if (ppn !== 'off' && ppn !== 'inclusive') return { problem: 'SELLER_PPN must be off or inclusive' }
  if (ppn === 'inclusive' && !(read('SELLER_NAME') && seller.address && seller.npwp))
    return { problem: 'SELLER_NAME, SELLER_ADDRESS and SELLER_NPWP are required when SELLER_PPN is inclusive' }

  let xendit: PaymentConfig['xendit']
  if (drivers.includes('xendit')) {
    const secretKey = read('XENDIT_SECRET_KEY')
    const callbackToken = read('XENDIT_CALLBACK_TOKEN')
    if (!secretKey || !callbackToken)
      return { problem: 'XENDIT_SECRET_KEY and XENDIT_CALLBACK_TOKEN are required when PAYMENTS has xendit' }
    if (callbackToken.length < tokenMinLength)
      return { problem: `XENDIT_CALLBACK_TOKEN must have at least ${tokenMinLength} characters` }
    const baseUrl = URL.parse(read('XENDIT_BASE_URL') ?? 'https://api.xendit.co')
    const safe = baseUrl?.protocol === 'https:' || (loopback && baseUrl?.protocol === 'http:')
    if (!baseUrl || !safe) return { problem: 'XENDIT_BASE_URL must be an address that starts with https://' }
    xendit = { secretKey, callbackToken, baseUrl }
  }
  const percent = ppn === 'inclusive' ? ppnPercent : null
  return { config: { drivers, simulatorForAll, idrPerUsd, manualAccounts, xendit, seller, ppnPercent: percent } }
}
