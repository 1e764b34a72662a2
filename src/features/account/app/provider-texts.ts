import type { CallbackError } from '../rules.ts'

/** Sign-in screens are always Indonesian, so these match the server's Indonesian texts. */
const problems: Record<CallbackError, string> = {
  'auth.provider_denied': 'Kamu membatalkan masuk. Coba lagi atau pakai email, ya.',
  'auth.provider_failed': 'Belum berhasil masuk lewat akun itu. Coba sekali lagi, ya.',
  'auth.provider_no_email': 'Akun itu tidak memberi alamat email. Silakan daftar dengan email.',
  'auth.confirmation_invalid': 'Konfirmasi ini tidak berlaku. Konfirmasi sekali lagi, ya.',
  'auth.email_unverified': 'Email kamu belum diverifikasi. Cek kotak masuk, atau minta email baru.',
  'auth.disabled': 'Akun ini dinonaktifkan. Hubungi kami kalau ini keliru.',
  'request.rate_limited': 'Terlalu banyak percobaan. Coba lagi sebentar lagi, ya.',
  'server.unavailable': 'Layanan sedang tidak tersedia. Coba lagi sebentar lagi, ya.',
  'server.maintenance':
    'Kami sedang merawat server sebentar. Tidak ada yang hilang: unggahan yang menunggu di perangkatmu terkirim sendiri setelah ini.',
}

/** An attacker may have written the address, so only known codes select a text. */
export function callbackProblem(code: string): string {
  return Object.hasOwn(problems, code) ? problems[code as CallbackError] : 'Terjadi kesalahan'
}
