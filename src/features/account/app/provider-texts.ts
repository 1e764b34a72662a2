import type { CallbackError, Provider } from '../rules.ts'

/** Names of companies are the same in every language. */
export const providerNames: Record<Provider, string> = { google: 'Google', facebook: 'Facebook' }

/**
 * How a provider's sign-in can fail; auth screens are Indonesian in every language, so the words
 * are the server's Indonesian ones.
 */
const problems: Record<CallbackError, string> = {
  'auth.provider_denied': 'Kamu membatalkan masuk. Coba lagi atau pakai email, ya.',
  'auth.provider_failed': 'Belum berhasil masuk lewat akun itu. Coba sekali lagi, ya.',
  'auth.provider_no_email': 'Akun itu tidak memberi alamat email. Silakan daftar dengan email.',
  'auth.confirmation_invalid': 'Konfirmasi ini tidak berlaku. Konfirmasi sekali lagi, ya.',
  'auth.email_unverified': 'Email kamu belum diverifikasi. Cek kotak masuk, atau minta email baru.',
  'auth.disabled': 'Akun ini dinonaktifkan. Hubungi kami kalau ini keliru.',
  'request.rate_limited': 'Terlalu banyak percobaan. Coba lagi sebentar lagi, ya.',
  'server.unavailable': 'Layanan sedang tidak tersedia. Coba lagi sebentar lagi, ya.',
  'server.maintenance': 'Kami sedang merawat server sebentar. Coba lagi beberapa menit lagi, ya.',
}

/**
 * The sentence for an error code in the callback's address; whoever wrote that address does not
 * choose the words.
 */
export function callbackProblem(code: string): string {
  return Object.hasOwn(problems, code) ? problems[code as CallbackError] : 'Terjadi kesalahan'
}
