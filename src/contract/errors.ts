/**
 * Every error the API can answer with, and the HTTP status (RFC 9110) it travels under.
 * A code is stable and meant for programs; the sentence for people comes from `locale/`.
 */
export const errorStatus = {
  'request.malformed': 400,
  'request.not_found': 404,
  'request.method': 405,
  'request.content_type': 415,
  'request.too_large': 413,
  'request.timeout': 408,
  'request.range': 416,
  'request.rate_limited': 429,
  'form.invalid': 422,
  'auth.required': 401,
  'auth.expired': 401,
  'auth.signed_out': 401,
  'auth.invalid_credentials': 401,
  'auth.email_unverified': 403,
  'auth.forbidden': 403,
  'auth.disabled': 403,
  'auth.token_invalid': 422,
  'auth.wrong_password': 422,
  'auth.confirmation_invalid': 422,
  'auth.password_change_due': 403,
  'auth.second_factor_due': 403,
  'second_factor.required': 401,
  'second_factor.challenge_expired': 401,
  'second_factor.wrong_code': 422,
  'second_factor.already_on': 409,
  'second_factor.off': 409,
  'passkey.refused': 422,
  'passkey.not_found': 404,
  'passkey.too_many': 409,
  'auth.provider_denied': 403,
  'auth.provider_failed': 502,
  'auth.provider_no_email': 422,
  'account.email_unchanged': 422,
  'account.last_admin': 409,
  'account.not_found': 404,
  'session.not_found': 404,
  'consent.required': 403,
  'consent.outdated': 409,
  'credits.insufficient': 402,
  'credits.fair_use': 429,
  'credits.price_changed': 409,
  'voucher.invalid': 422,
  'voucher.not_found': 404,
  'voucher.verification_failed': 503,
  'package.unknown': 404,
  'payment.method_unavailable': 422,
  'payment.failed': 502,
  'payment.not_found': 404,
  'order.not_found': 404,
  'order.not_cancellable': 409,
  'order.too_many_open': 409,
  'order.not_payable': 409,
  'order.not_reportable': 409,
  'order.not_paid': 409,
  'order.final': 409,
  'claim.too_late': 409,
  'claim.already_made': 409,
  'claim.not_possible': 409,
  'tool.unknown': 404,
  'tool.disabled': 409,
  'params.invalid': 422,
  'idempotency.key_missing': 400,
  'idempotency.key_invalid': 400,
  'idempotency.reused': 422,
  'upload.missing': 422,
  'upload.too_many': 422,
  'upload.four_to_eight': 422,
  'upload.too_large': 413,
  'upload.empty': 422,
  'upload.not_image': 415,
  'upload.not_video': 415,
  'upload.unreadable': 422,
  'upload.too_many_pixels': 422,
  'upload.too_small': 422,
  'upload.too_narrow': 422,
  'upload.animated': 422,
  'upload.video_unreadable': 422,
  'upload.video_codec': 415,
  'upload.video_too_long': 422,
  'upload.video_too_large': 422,
  'upload.video_too_fast': 422,
  'upload.not_found': 404,
  'upload.not_ready': 409,
  'upload.conflict': 409,
  'upload.protocol': 412,
  'upload.limit': 429,
  'generation.not_found': 404,
  'generation.not_cancellable': 409,
  'generation.not_renderable': 409,
  'generation.expired': 409,
  'file.not_found': 404,
  'file.link_invalid': 403,
  'engine.no_subject': 422,
  'engine.no_face': 422,
  'engine.face_turned': 422,
  'engine.failed': 500,
  'engine.crashed': 500,
  'engine.timeout': 500,
  'queue.full': 503,
  'storage.full': 503,
  'server.unavailable': 503,
  'server.error': 500,
} as const satisfies Record<string, number>

/** A stable, machine-readable name of what went wrong. */
export type ErrorCode = keyof typeof errorStatus

/**
 * Body of every answer with a status of 400 or above.
 * `msg` is one sentence in the language of Accept-Language; `details` maps a field (or parameter path) to its message key.
 */
export interface ApiErrorBody {
  code: ErrorCode
  msg: string
  details?: Record<string, string>
}

/** A code with its sentence, as it stands on a generation. */
export interface Notice<Code extends string = string> {
  code: Code
  msg: string
}
