import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { ChevronDown } from 'lucide-react'

/** Also structured data for search engines (src/app/prerender.tsx). */
export const frequentQuestions = [
  {
    ask: msg`Apa bisa dicoba gratis?`,
    answer: msg`Bisa. Setelah email kamu terverifikasi, kamu langsung dapat kredit selamat datang. Tidak perlu kartu dan tidak ada langganan yang berjalan diam-diam.`,
  },
  {
    ask: msg`Kalau hasilnya gagal, apa kreditku hilang?`,
    answer: msg`Tidak. Kredit kembali otomatis kalau proses gagal atau kamu batalkan. Mengganti warna latar, potongan, atau format dari hasil yang sudah jadi juga gratis.`,
  },
  {
    ask: msg`Bagaimana kalau sinyal putus di tengah jalan?`,
    answer: msg`Fotomu menunggu dengan aman di HP, lalu terkirim sendiri begitu tersambung lagi. Terkirim tepat satu kali, jadi kredit tidak pernah terpotong dua kali.`,
  },
  {
    ask: msg`Fotoku disimpan berapa lama?`,
    answer: msg`Hasil tersimpan 30 hari dan foto asli 7 hari, lalu dihapus. Kamu bisa menghapusnya kapan saja lebih awal. Fotomu tidak dipakai untuk melatih apa pun.`,
  },
  {
    ask: msg`Foto seperti apa yang hasilnya paling bagus?`,
    answer: msg`Foto yang jelas dan menghadap depan. Hindari sudut samping, kacamata, cahaya berlebih, dan wajah yang tertutup.`,
  },
]

/** The home page has the specification's five. */
export const paymentQuestions = [
  {
    ask: msg`Bagaimana kalau pembayaranku terlambat masuk atau terbayar dua kali?`,
    answer: msg`Uangmu tidak hilang. Pembayaran yang masuk setelah batas waktu tetap menjadi kredit. Kelebihan bayar tercatat di pesananmu, dan kami mengurus pengembaliannya.`,
  },
  {
    ask: msg`Bagaimana cara mendapat uangku kembali?`,
    answer: msg`Kalau salah beli atau bayar dua kali, tulis ke email di halaman Kredit. Uang dari pembayaran ganda selalu kembali; kredit yang sudah terpakai tidak diuangkan. Untuk hasil yang kurang bagus, kreditnya bisa kamu minta kembali dalam 24 jam, dari “Pilihan lain” di hasil itu.`,
  },
]

export function Questions({ more = [] }: { more?: typeof frequentQuestions }) {
  const { i18n } = useLingui()
  return (
    <div className="grid grid-cols-1 gap-3">
      {[...frequentQuestions, ...more].map(({ ask, answer }) => (
        <details key={ask.id} className="group card block">
          <summary className="flex min-h-15 cursor-pointer list-none items-center gap-[min(1rem,16px)] rounded-box px-[min(1.25rem,20px)] py-4 font-semibold [&::-webkit-details-marker]:hidden">
            <span className="min-w-0 flex-1 wrap-anywhere">{i18n._(ask)}</span>
            <ChevronDown
              aria-hidden
              className="size-[min(1.25rem,24px)] shrink-0 text-primary-ink transition-transform group-open:rotate-180"
            />
          </summary>
          <p className="px-[min(1.25rem,20px)] pb-5 text-muted leading-relaxed">{i18n._(answer)}</p>
        </details>
      ))}
    </div>
  )
}
