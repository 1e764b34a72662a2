/** In display order. */
export const methodIds = [
  'cimb_niaga',
  'bri',
  'bni',
  'bca',
  'bsi',
  'mandiri',
  'qris',
  'dana',
  'gopay',
  'ovo',
  'shopeepay',
  'linkaja',
] as const
export type MethodId = (typeof methodIds)[number]

/** Limits in whole rupiah, seconds until an order must be paid. */
export interface PaymentMethod {
  id: MethodId
  name: string
  kind: 'bank' | 'qris' | 'wallet'
  min: number
  max: number
  expiresInSeconds: number
  approvalSeconds: number | null
  /** The buyer enters the mobile number for the approval request. */
  asksMobileNumber: boolean
  /** The gateway can send money back the same way. */
  refundable: boolean
}

const hour = 3600
const million = 1_000_000

const bank = (id: MethodId, name: string, min = 1): PaymentMethod => ({
  id,
  name,
  kind: 'bank',
  min,
  max: 50 * million,
  expiresInSeconds: 24 * hour,
  approvalSeconds: null,
  asksMobileNumber: false,
  refundable: false,
})

const wallet = (
  id: MethodId,
  name: string,
  [min, max]: [number, number],
  expiresInSeconds = hour / 2,
): PaymentMethod => ({
  id,
  name,
  kind: 'wallet',
  min,
  max,
  expiresInSeconds,
  approvalSeconds: null,
  asksMobileNumber: false,
  refundable: true,
})

/** As published by the gateway for each channel. */
export const paymentMethods: Record<MethodId, PaymentMethod> = {
  cimb_niaga: bank('cimb_niaga', 'CIMB Niaga'),
  bri: bank('bri', 'BRI'),
  bni: bank('bni', 'BNI'),
  bca: bank('bca', 'BCA', 10_000),
  bsi: bank('bsi', 'BSI'),
  mandiri: bank('mandiri', 'Mandiri'),
  qris: {
    id: 'qris',
    name: 'QRIS',
    kind: 'qris',
    min: 1,
    max: 10 * million,
    expiresInSeconds: 48 * hour,
    approvalSeconds: null,
    asksMobileNumber: false,
    refundable: true,
  },
  dana: wallet('dana', 'DANA', [100, 20 * million], 24 * hour),
  gopay: wallet('gopay', 'GoPay', [1, 50 * million]),
  // The page waits as for other wallets, but the request in the buyer's app expires after a minute.
  ovo: { ...wallet('ovo', 'OVO', [100, 20 * million]), approvalSeconds: 60, asksMobileNumber: true, refundable: false },
  shopeepay: wallet('shopeepay', 'ShopeePay', [1, 20 * million]),
  linkaja: wallet('linkaja', 'LinkAja', [100, 10 * million]),
}
