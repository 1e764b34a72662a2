import { brandName } from '#shared/brand.ts'
import { AgeRules } from './legal-facts.tsx'

export function Terms() {
  return (
    <>
      <p>Dengan memakai {brandName} kamu menyetujui syarat berikut. Kami menulisnya singkat supaya mudah dibaca.</p>
      <h2>Akun</h2>
      <p>
        Pakai email yang benar dan jaga kata sandimu. Satu akun untuk satu orang. Kamu bertanggung jawab atas
        pemakaiannya.
      </p>
      <AgeRules>
        {({ minimum, adult, needsGuardian }) => (
          <p>
            Tulis tahun lahirmu dengan jujur. Kamu harus berusia paling sedikit {minimum} tahun
            {needsGuardian && `, dan di bawah ${adult} tahun orang tua atau walimu harus mengizinkan`}. Menukar wajah
            dan mengedit wajah orang lain hanya untuk usia {adult} tahun ke atas.
          </p>
        )}
      </AgeRules>
      <h2>Foto yang boleh dipakai</h2>
      <ul>
        <li>Hanya foto yang kamu miliki atau yang pemiliknya sudah mengizinkan.</li>
        <li>Orang yang terlihat di foto harus setuju wajahnya diolah.</li>
        <li>Dilarang untuk menipu, memalsukan identitas, mempermalukan orang, atau apa pun yang melanggar hukum.</li>
      </ul>
      <h2>Kredit dan pembayaran</h2>
      <ul>
        <li>Harga setiap alat terlihat sebelum kamu menekan tombolnya. Kredit terpotong saat proses dimulai.</li>
        <li>Kalau proses gagal atau dibatalkan, kredit kembali otomatis.</li>
        <li>
          Kredit selamat datang diberikan sekali untuk setiap kotak surat, tidak untuk alamat email sekali pakai atau
          dari layanan alias, dan hanya untuk beberapa kotak surat di satu domain milik sendiri.
        </li>
        <li>Kredit paket berlaku 30 hari sejak dibayar dan tidak diperpanjang otomatis.</li>
        <li>Paket PREMIUM tanpa batas dalam pemakaian wajar: 500 hasil sehari.</li>
      </ul>
      <h2>Uang kembali</h2>
      <ul>
        <li>Hasil yang jelek: minta kreditnya kembali dari Riwayat dalam 24 jam, dengan alasannya.</li>
        <li>Salah beli atau bayar dua kali: hubungi kami. Uang dari pembayaran ganda selalu kami kembalikan.</li>
        <li>
          Kredit yang sudah terpakai tidak diuangkan. Kalau uangmu dikembalikan, kredit yang belum terpakai ikut kami
          tarik, sebanding dengan uangnya.
        </li>
        <li>
          Uang kembali lewat metode yang sama kalau metodenya bisa, misalnya QRIS, DANA, atau GoPay. Kalau tidak,
          misalnya virtual account, lewat transfer ke rekeningmu. Kamu mendapat email dengan jumlah dan nomor
          transfernya.
        </li>
        <li>Kredit hadiah dan kredit voucher gratis tidak bisa diuangkan.</li>
      </ul>
      <h2>Hasil</h2>
      <p>
        Hasilnya milikmu. Simpan salinannya, karena hasil dihapus setelah 30 hari. AI bisa keliru; periksa hasilnya
        sebelum dipakai untuk hal penting.
      </p>
      <h2>Layanan</h2>
      <p>
        Kami menjaga layanan ini sebaik mungkin, tetapi tidak menjanjikan tanpa gangguan. Akun yang melanggar syarat
        dapat dinonaktifkan. Perubahan penting pada syarat ini kami beri tahu lebih dulu. Berlaku hukum Indonesia.
      </p>
    </>
  )
}
