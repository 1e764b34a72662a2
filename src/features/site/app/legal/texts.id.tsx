import { Link } from 'wouter'
import { brandName } from '#shared/brand.ts'
import { AgeRules, Complaints, DataOfficer, RetentionTable } from './legal-facts.tsx'

export function Privacy() {
  return (
    <>
      <p>
        Halaman ini menjelaskan data apa yang {brandName} olah, untuk apa, dan pilihan apa yang kamu punya. Kami
        mengikuti Undang-Undang Nomor 27 Tahun 2022 tentang Pelindungan Data Pribadi.
      </p>
      <h2>Data yang kami simpan</h2>
      <ul>
        <li>
          Akun: nama, alamat email, tahun lahir (hanya tahunnya), bahasa pilihan, dan kata sandi dalam bentuk yang tidak
          bisa dibaca kembali.
        </li>
        <li>Untuk pengguna yang belum dewasa: alamat email orang tua atau walinya, dan bukti izinnya.</li>
        <li>Foto yang kamu kirim dan hasilnya.</li>
        <li>Catatan kredit: kapan bertambah, kapan terpakai, dan untuk alat apa.</li>
        <li>
          Pesanan: paket, jumlah, cara bayar, bukti transfer kalau kamu mengirimnya, dan data perusahaan kalau kamu
          memintanya di invoice.
        </li>
        <li>Sesi masuk: jenis peramban dan waktu, supaya akunmu bisa dijaga.</li>
      </ul>
      <h2>Untuk apa</h2>
      <p>
        Untuk membuat hasil yang kamu minta, menghitung kredit, mengirim email yang perlu (verifikasi dan keamanan
        akun), serta mencegah penyalahgunaan. Fotomu tidak dipakai untuk melatih model apa pun dan tidak dijual.
      </p>
      <h2>Foto dan wajah</h2>
      <p>
        Foto dapat memuat wajah. Alat yang mencari atau mengubah wajah meminta persetujuan tersendiri sebelum pertama
        kali dipakai; waktu dan versi teksnya dicatat. Saat ini foto diproses di server {brandName} sendiri. Data lokasi
        dan data kamera di dalam file dihapus dari hasil. Staf tidak melihat fotomu, kecuali kamu memintanya dalam
        sebuah laporan.
      </p>
      <h2>Anak</h2>
      <AgeRules>
        {({ minimum, adult, needsGuardian }) => (
          <p>
            Kami menanyakan tahun lahirmu untuk melindungi anak, sesuai PP 17/2025. Di bawah {minimum} tahun, akun tidak
            dibuka dan tidak ada yang disimpan.{' '}
            {needsGuardian && (
              <>
                Di bawah {adult} tahun, orang tua atau wali harus mengizinkan dulu. Kami mencatat waktu, versi teks, dan
                alamat jaringan mereka. Izin itu bisa dicabut kapan saja lewat tautan di email; akunnya lalu ditutup dan
                datanya dihapus.{' '}
              </>
            )}
            Hanya orang dewasa yang boleh mengubah wajah orang lain.
          </p>
        )}
      </AgeRules>
      <h2>Berapa lama</h2>
      <p>Foto dan hasil bisa kamu hapus lebih awal dari Riwayat. Sisanya kami hapus sendiri menurut tabel ini:</p>
      <RetentionTable />
      <ul>
        <li>
          Akun: sampai kamu menghapusnya. Catatan transaksi disimpan selama diwajibkan hukum, tanpa nama; pada invoice
          ber-PPN, nama perusahaan dan NPWP-nya tetap ada.
        </li>
        <li>
          Sidik alamat emailmu dan domainnya, yang dihitung dengan kunci rahasia dan tidak memuat alamatnya: tetap
          disimpan setelah akun dihapus, supaya kredit selamat datang diberikan sekali saja untuk setiap kotak surat.
        </li>
      </ul>
      <h2>Di perangkatmu</h2>
      <p>
        Supaya tetap bisa dipakai tanpa internet, aplikasi menyimpan tanda masuk, riwayat, saldo, dan unggahan yang
        menunggu di perangkatmu. Semuanya dihapus saat kamu keluar. Kami tidak memakai pelacak iklan. Sekali sehari
        perangkatmu memberi tahu kami bahwa ada yang berkunjung, tanpa memberi tahu siapa; yang kami simpan hanya
        jumlahnya.
      </p>
      <h2>Hakmu</h2>
      <p>
        Kamu berhak melihat, memperbaiki, menyalin, dan menghapus datamu, serta menarik persetujuanmu. Semuanya bisa
        kamu lakukan sendiri, kapan saja, di halaman <Link to="/profile">Akun</Link>: ganti nama dan email, unduh semua
        datamu dalam satu ZIP, tarik persetujuan soal wajah, dan hapus akunmu beserta semua fotonya.
      </p>
      <h2>Petugas pelindungan data</h2>
      <p>
        Untuk pertanyaan tentang datamu, atau kalau kamu tidak bisa masuk ke akunmu, tulis dari alamat email akunmu ke:
      </p>
      <DataOfficer />
      <p>
        Kalau datamu sampai bocor, kami memberi tahu kamu dan pihak berwenang dalam 3 × 24 jam: data apa yang bocor,
        kapan, bagaimana, dan apa yang kami lakukan.
      </p>
      <h2>Pengaduan</h2>
      <p>Ada yang tidak beres dengan layanan ini, atau ada foto yang seharusnya tidak ada di sini? Sampaikan ke:</p>
      <Complaints />
    </>
  )
}

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
