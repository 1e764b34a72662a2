import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the passport photo page. */
export const passportPhotoLabels: ToolLabels = {
  tagline: msg`Ukuran, latar, dan lembar cetak yang pas`,
  intro: msg`Satu foto biasa jadi pasfoto: ukuran, letak kepala, latar, dan ukuran berkas tepat menurut aturannya.`,
  action: msg`Buat pasfoto`,
  actionMany: msg({ message: 'Buat {count} pasfoto' }),
  steps: [
    {
      title: msg`Pilih foto`,
      text: msg`Satu orang, menghadap ke depan, bahu kelihatan. Miring sedikit tidak apa-apa, nanti diluruskan.`,
    },
    {
      title: msg`Pilih keperluan dan latar`,
      text: msg`KTP, SSCASN, SNPMB, haji, visa, atau ukuran sendiri. Pemeriksaan kepala, mata, cahaya, dan ketajaman gratis.`,
    },
    {
      title: msg`Unduh atau cetak`,
      text: msg`Piksel, dpi, dan KB-nya tepat. Ganti ukuran, latar, atau lembar cetak 4R dan A4 tanpa kredit lagi.`,
    },
  ],
  advice: msg`Pakai foto terang dengan wajah menghadap ke depan, mulut tertutup, tanpa kacamata. Aturan bisa berubah: cek lagi ke kantor yang dituju.`,
}
