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
