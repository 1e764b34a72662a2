import { msg } from '@lingui/core/macro'
import type { FormTexts } from '#ui/form.tsx'

export const formTexts: FormTexts = {
  'login.invalidEmail': msg({ id: 'login.invalidEmail', message: 'Email tidak valid' }),
  'login.required': msg({ id: 'login.required', message: 'Bagian ini wajib diisi' }),
  'password.required': msg({ id: 'password.required', message: 'Kata sandi wajib diisi' }),
  'password.minLength': msg({ id: 'password.minLength', message: 'Kata sandi minimal 8 karakter' }),
  'password.lowercase': msg({ id: 'password.lowercase', message: 'Kata sandi harus berisi minimal satu huruf kecil' }),
  'password.uppercase': msg({ id: 'password.uppercase', message: 'Kata sandi harus berisi minimal satu huruf besar' }),
  'password.number': msg({ id: 'password.number', message: 'Kata sandi harus berisi minimal satu angka' }),
  'password.specialChar': msg({
    id: 'password.specialChar',
    message: 'Kata sandi harus berisi minimal satu karakter khusus',
  }),
  'password.common': msg({
    id: 'password.common',
    message: 'Kata sandi ini terlalu mudah ditebak. Pilih yang lain, ya.',
  }),
  'password.unchanged': msg({ id: 'password.unchanged', message: 'Pilih kata sandi yang berbeda dari sebelumnya.' }),
  'register.passwordsDontMatch': msg({ id: 'register.passwordsDontMatch', message: 'Kata sandi tidak sama' }),
  'resetPassword.passwordsMustMatch': msg({
    id: 'resetPassword.passwordsMustMatch',
    message: 'Kata sandi harus sama',
  }),
  'resetPassword.confirmPasswordRequired': msg({
    id: 'resetPassword.confirmPasswordRequired',
    message: 'Bagian ini wajib diisi',
  }),
  'age.year': msg({ id: 'age.year', message: 'Tulis tahunnya dengan empat angka, misalnya 1998' }),
  'register.agreeToTerms': 'Harap centang persetujuan',
}
