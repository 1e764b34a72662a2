import { msg } from '@lingui/core/macro'

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
