//! The fictional suppliers, customers and wares of the demonstration.

#[derive(Debug, Clone, Copy)]
pub(super) struct Supplier {
    pub(super) code: &'static str,
    pub(super) name: &'static str,
    /// How its invoice numbers begin.
    pub(super) series: &'static str,
    pub(super) vat_id: &'static str,
    pub(super) iban: &'static str,
    pub(super) contact: &'static str,
    pub(super) email: &'static str,
    pub(super) currency: &'static str,
    pub(super) wares: [&'static str; 2],
}

macro_rules! suppliers {
    ($($code:literal $name:literal $series:literal $vat:literal $iban:literal $contact:literal $email:literal $currency:literal [$a:literal, $b:literal]),+ $(,)?) => {
        &[$(Supplier { code: $code, name: $name, series: $series, vat_id: $vat, iban: $iban, contact: $contact, email: $email,
            currency: $currency, wares: [$a, $b] }),+]
    };
}

#[rustfmt::skip]
pub(super) const SUPPLIERS: &[Supplier] = suppliers![
    "FJORD" "Fjordlys Sjømat AS" "FJ-2026-" "NO 918 273 645 MVA" "NO93 8601 1117 947" "Ingebjørg Tveit" "faktura@fjordlys.example" "NOK" ["Skrei, sløyd, fersk", "Frakt Tromsø – Oslo"],
    "DDG" "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft mbH & Co. KG" "RE-88/" "ATU12345678" "AT61 1904 3002 3457 3201" "Anneliese Oberhuber" "rechnung@ddg-donau.example" "EUR" ["Wartung Maschinenraum", "Dichtungsring 40×52×7"],
    "OTA" "株式会社大田電機" "OTA-" "T1234567890123" "—" "山田 花子" "keiri@ota-denki.example" "JPY" ["ネジ M6×20", "制御盤 CB-7"],
    "NKHL" "شركة النخيل للتجارة ذ.م.م" "NKH/26/" "100234567800003" "AE07 0331 2345 6789 0123 456" "نورة الحمّادي" "accounts@nakheel-trading.example" "AED" ["تمر مجدول، صندوق", "شحن جوي"],
    "HLV" "הלוי־כהן ובניו בע״מ" "HLV-" "IL 514789632" "IL62 0108 0000 0009 9999 999" "נועה הלוי־כהן" "ar@halevi-cohen.example" "ILS" ["ידית עץ אלון", "הובלה לנמל"],
    "BRJK" "Bjørk & Sønner ANS" "BS" "NO 876 543 216 MVA" "NO27 6002 0300 128" "Sindre Bjørk" "post@bjork-sonner.example" "NOK" ["Ståltråd 2,5 mm", "Galvanisering"],
    "MORN" "Ó Súilleabháin & Daughters Ltd" "OSD-" "IE6388047V" "IE29 AIBK 9311 5212 3456 78" "Aoife Ó Súilleabháin" "billing@osuilleabhain.example" "EUR" ["Linen, 2 m", "Dyeing, per bolt"],
    "LYON" "Établissements Mercier-d’Aubigné SARL" "F" "FR 40 303265045" "FR14 2004 1010 0505 0001 3M02 606" "Léon Mercier" "compta@mercier-aubigne.example" "EUR" ["Œillet laiton, ×1000", "Emballage cadeau"],
    "RIND" "Rindfleischetikettierungsüberwachungsaufgabenübertragungsstelle Nordfriesland e. V." "NF-" "DE136695976" "DE89 3704 0044 0532 0130 00" "Heinz-Günther Graf von und zu Lüttgenau" "kasse@nordfriesland.example" "EUR" ["Prüfplakette, Rolle", "Schulung, Tagessatz"],
    "SCHR" "Österreichische Schraubenhandelsgesellschaft m. b. H." "OSH-" "ATU87654321" "AT48 3200 0000 1234 5864" "Zoë Nguyễn" "buchhaltung@schraubenhandel.example" "EUR" ["Sechskantschraube M8", "Unterlegscheibe, 500 Stk."],
    "ACME" "Acme Components Inc." "INV-" "US 12-3456789" "—" "Amara Okafor" "ar@acme-components.example" "USD" ["Bracket, anodised", "Expedite fee"],
    "SAMI" "Sámi Duodji Siida SA" "SDS-" "NO 912 345 678 MVA" "NO15 4202 4900 123" "Elle Márjá Hætta" "rehket@duodji.example" "NOK" ["Komse, håndsydd", "Sølvtråd"],
];

#[derive(Debug, Clone, Copy)]
pub(super) struct Customer {
    pub(super) name: &'static str,
    pub(super) email: &'static str,
    pub(super) phone: &'static str,
    pub(super) street: &'static str,
    pub(super) city: &'static str,
    pub(super) country: &'static str,
}

macro_rules! customers {
    ($($name:literal $email:literal $phone:literal $street:literal $city:literal $country:literal),+ $(,)?) => {
        &[$(Customer { name: $name, email: $email, phone: $phone, street: $street, city: $city, country: $country }),+]
    };
}

#[rustfmt::skip]
pub(super) const CUSTOMERS: &[Customer] = customers![
    "Håkon Þórðarson" "hakon@thordarson.example" "+47 22 01 00 42" "Storgata 14 B" "Tromsø" "NO",
    "Yael Ben-Ami" "yael@ben-ami.example" "+972 3 555 0117" "רחוב הרצל 12" "תל אביב" "IL",
    "小林 さくら" "sakura@kobayashi.example" "+81 3 5550 0142" "千代田区丸の内1-1" "東京都" "JP",
    "Abdulrahman Al-Mutairi" "a.almutairi@rimal.example" "+971 4 555 0188" "شارع الشيخ زايد ١٢" "دبي" "AE",
    "Wilhelmine Freifrau von Schnurrbusch-Hohenlohe" "wilhelmine@schnurrbusch.example" "+49 30 5550 19" "Straße des 17. Juni 135" "Berlin" "DE",
    "Léon Mercier" "leon@mercier.example" "+33 1 99 00 12 34" "14 rue de l’Écluse" "Saint-Étienne" "FR",
    "Siobhán O’Rourke" "siobhan@orourke.example" "+353 1 555 0123" "3 Grafton Lane" "Dublin" "IE",
    "Oluwaseun Adeyemi" "seun@adeyemi.example" "+44 20 7946 0018" "221 Rye Lane" "London" "GB",
    "Nguyễn Thị Ánh" "anh@nguyen.example" "+46 8 555 010 22" "Götgatan 71" "Stockholm" "SE",
    "Ramón Ibáñez y Gutiérrez" "ramon@ibanez.example" "+34 91 555 01 67" "Calle del Pez, 9" "Madrid" "ES",
    "فاطمة الزهراء بنعلي" "fz@benali.example" "+212 5 55 01 00 33" "زنقة المكسيك ٤" "طنجة" "MA",
    "Elle Márjá Hætta" "ellemarja@haetta.example" "+47 78 01 00 08" "Suomageaidnu 6" "Kautokeino" "NO",
];
