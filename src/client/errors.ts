import { t } from '@lingui/core/macro'
import { ApiError } from './api.ts'
import { NetworkError } from './device/network-error.ts'

/**
 * The sentence to show for anything that was thrown: the server's own words where there are some.
 */
export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.msg !== '') return error.msg
  if (error instanceof ApiError && error.code === 'server.unavailable') {
    return t`Server sedang sibuk. Coba lagi sebentar lagi, ya.`
  }
  if (error instanceof NetworkError) return t`Tidak ada koneksi. Periksa internetmu lalu coba lagi.`
  return t`Terjadi kesalahan`
}
