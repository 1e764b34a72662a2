import { NetworkError } from '#client/device/network-error.ts'

/** Beside the notice that a call failed: what to do when the server could not be reached. */
export function OfflineNote({ error }: { error: unknown }) {
  if (!(error instanceof NetworkError)) return null
  return (
    <p role="alert" className="rounded-field bg-soft px-4 py-3 text-sm text-on-soft leading-relaxed">
      Server tidak terjangkau. Periksa koneksi internetmu, lalu coba lagi. Isianmu tetap tersimpan di sini.
    </p>
  )
}
