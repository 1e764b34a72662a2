import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isEmail } from '#contract/email.ts'
import { passwordProblem } from '#contract/password.ts'
import { normalizeName } from '#contract/person-name.ts'

/** Messages by their keys; the server names the same keys in `details`. */
const messages: Record<string, MessageDescriptor> = {
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
  required: msg({ id: 'required', message: 'Bagian ini wajib diisi' }),
  // What the server finds beyond the rules of the forms.
  'form.required': msg({ id: 'required', message: 'Bagian ini wajib diisi' }),
  'form.invalid': msg({ id: 'form.invalid', message: 'Isian ini tidak bisa dipakai' }),
}

/** The same in every language. */
const termsText = 'Harap centang persetujuan'

/** The sentence for a message key; a key nobody knows is taken for a sentence. */
export function problemText(
  key: string | undefined,
  translate: (message: MessageDescriptor) => string,
): string | undefined {
  if (key === undefined) return undefined
  if (key === 'agreeToTerms') return termsText
  return messages[key] ? translate(messages[key]) : key
}

/** Rules return true, or the key of what is wrong, as react-hook-form wants it. */
export const emailRule = (value: string) => {
  if (value.trim() === '') return 'login.required'
  return isEmail(value.trim()) || 'login.invalidEmail'
}
export const newPasswordRule = (value: string) => passwordProblem(value) ?? true
export const heldPasswordRule = (value: string) => value !== '' || 'password.required'
export const nameRule = (value: string) => normalizeName(value) !== '' || 'required'
export const termsRule = (value: boolean) => value || 'agreeToTerms'
export const sameAsPassword = (value: string, form: { password: string }) => {
  if (value === '') return 'required'
  return value === form.password || 'register.passwordsDontMatch'
}
export const sameAsNewPassword = (value: string, form: { password: string }) => {
  if (value === '') return 'resetPassword.confirmPasswordRequired'
  return value === form.password || 'resetPassword.passwordsMustMatch'
}
