import { brandName } from '#shared/brand.ts'
import { type MethodId, paymentMethods } from '../../../payment-methods.ts'
import type { Seller } from '../../payments/payment-config.ts'
import type { PaymentRequest, PreparedRequest } from '../payment-driver.ts'

const channels: Record<MethodId, string> = {
  cimb_niaga: 'CIMB_VIRTUAL_ACCOUNT',
  bri: 'BRI_VIRTUAL_ACCOUNT',
  bni: 'BNI_VIRTUAL_ACCOUNT',
  bca: 'BCA_VIRTUAL_ACCOUNT',
  bsi: 'BSI_VIRTUAL_ACCOUNT',
  mandiri: 'MANDIRI_VIRTUAL_ACCOUNT',
  qris: 'QRIS',
  dana: 'DANA',
  gopay: 'GOPAY',
  ovo: 'OVO',
  shopeepay: 'SHOPEEPAY',
  linkaja: 'LINKAJA',
}

/** For the gateway's dashboards and risk checks. */
const itemCategory = 'Photo editing credits'

/** `POST /sessions`. */
export function sessionBody(request: PaymentRequest, publicUrl: URL): PreparedRequest {
  const { attemptId, orderId, amountIdr, method, expiresAt, description, buyer } = request
  const page = (path: string) => new URL(`${path}?order=${orderId}`, publicUrl).href
  return {
    reference_id: attemptId,
    session_type: 'PAY',
    mode: 'PAYMENT_LINK',
    amount: amountIdr,
    currency: 'IDR',
    country: 'ID',
    allowed_payment_channels: [channels[method]],
    expires_at: expiresAt.toISOString(),
    locale: buyer.language,
    description,
    customer: {
      reference_id: buyer.id,
      type: 'INDIVIDUAL',
      email: buyer.email,
      ...(buyer.mobileNumber !== null && { mobile_number: buyer.mobileNumber }),
      individual_detail: { given_names: buyer.name },
    },
    success_return_url: page('/payment-success'),
    cancel_return_url: page('/payment-failed'),
    items: [
      {
        reference_id: orderId,
        type: 'DIGITAL_SERVICE',
        category: itemCategory,
        name: description,
        net_unit_amount: amountIdr,
        quantity: 1,
        currency: 'IDR',
      },
    ],
    metadata: { order_id: orderId },
  }
}

/**
 * `POST /v3/payment_requests`: an account number or a code for exactly this amount, payable once.
 */
export function paymentRequestBody(request: PaymentRequest, seller: Pick<Seller, 'name'>): PreparedRequest {
  const { attemptId, orderId, amountIdr, method, expiresAt, description } = request
  return {
    reference_id: attemptId,
    type: 'PAY',
    country: 'ID',
    currency: 'IDR',
    request_amount: amountIdr,
    capture_method: 'AUTOMATIC',
    channel_code: channels[method],
    // The gateway fixes a code's expiry at two days; this server closes it earlier if the order
    // expires.
    channel_properties:
      paymentMethods[method].kind === 'bank'
        ? // Recipient's name in the bank's app before the buyer confirms.
          { expires_at: expiresAt.toISOString(), display_name: accountName(seller.name) }
        : {},
    description,
    metadata: { order_id: orderId },
  }
}

/** Banks accept only letters and spaces, at least three characters. */
function accountName(name: string): string {
  const plain = name
    .replace(/[^A-Za-z ]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
  return plain.length >= 3 ? plain.slice(0, 50).trim() : brandName
}
