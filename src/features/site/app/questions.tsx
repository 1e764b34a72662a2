import { useLingui } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'

export function Questions() {
  const { t } = useLingui()
  const questions = [
    {
      ask: t`Apa bisa dicoba gratis?`,
      answer: t`Bisa. Setelah email kamu terverifikasi, kamu langsung dapat kredit selamat datang. Tidak perlu kartu dan tidak ada langganan yang berjalan diam-diam.`,
    },
    {
      ask: t`Kalau hasilnya gagal, apa kreditku hilang?`,
      answer: t`Tidak. Kredit kembali otomatis kalau proses gagal atau kamu batalkan. Mengganti warna latar, potongan, atau format dari hasil yang sudah jadi juga gratis.`,
    },
    {
      ask: t`Bagaimana kalau sinyal putus di tengah jalan?`,
      answer: t`Fotomu menunggu dengan aman di HP, lalu terkirim sendiri begitu tersambung lagi. Terkirim tepat satu kali, jadi kredit tidak pernah terpotong dua kali.`,
    },
    {
      ask: t`Fotoku disimpan berapa lama?`,
      answer: t`Hasil tersimpan 30 hari dan foto asli 7 hari, lalu dihapus. Kamu bisa menghapusnya kapan saja lebih awal. Fotomu tidak dipakai untuk melatih apa pun.`,
    },
    {
      ask: t`Foto seperti apa yang hasilnya paling bagus?`,
      answer: t`Foto yang jelas dan menghadap depan. Hindari sudut samping, kacamata, cahaya berlebih, dan wajah yang tertutup.`,
    },
  ]
  return (
    <div className="grid gap-3">
      {questions.map(({ ask, answer }) => (
        <details key={ask} className="group card block">
          <summary className="flex min-h-15 cursor-pointer list-none items-center gap-4 rounded-box px-5 py-4 font-semibold [&::-webkit-details-marker]:hidden">
            <span className="flex-1">{ask}</span>
            <ChevronDown
              aria-hidden
              className="size-5 shrink-0 text-primary-ink transition-transform group-open:rotate-180"
            />
          </summary>
          <p className="px-5 pb-5 text-muted leading-relaxed">{answer}</p>
        </details>
      ))}
    </div>
  )
}
