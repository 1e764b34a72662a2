import { useLingui } from '@lingui/react/macro'
import type { DeliveredEvent, DeliveryError } from '../rules.ts'

export function useEventNames(): Record<DeliveredEvent, string> {
  const { t } = useLingui()
  return {
    'generation.succeeded': t`Hasil selesai`,
    'generation.failed': t`Proses gagal`,
    'generation.cancelled': t`Proses dibatalkan`,
    'webhook.ping': t`Pesan uji`,
  }
}

export function useDeliveryErrors(): Record<DeliveryError, string> {
  const { t } = useLingui()
  return {
    url_invalid: t`alamatnya tidak sah`,
    port_forbidden: t`port ini tidak diizinkan`,
    address_forbidden: t`alamatnya menuju jaringan pribadi, jadi tidak kami hubungi`,
    redirect_refused: t`dialihkan ke alamat lain`,
    too_large: t`jawabannya terlalu besar`,
    timeout: t`tidak menjawab dalam 15 detik`,
    unreachable: t`tidak bisa dihubungi`,
    endpoint_disabled: t`webhook sedang nonaktif`,
    subject_gone: t`datanya sudah dihapus`,
    given_up: t`semua percobaan sudah habis`,
  }
}
