/** `npm run docs` writes these lists, from tools/dates/. A line is a phrase, in the form of `folded`. */

/** The unit, how many of them ago, and the phrase. */
export const FIXED = `
day 0 today
day 1 yesterday
week 0 this week
week 1 last week
month 0 this month
month 1 last month
year 0 this year
year 1 last year
day 2 the day before yesterday
day 0 heute
day 1 gestern
day 2 vorgestern
week 0 diese woche
week 1 letzte woche
month 0 diesen monat
month 1 letzten monat
year 0 dieses jahr
year 1 letztes jahr
month 1 letzter monat
month 0 dieser monat
week 1 vorige woche
week 1 vergangene woche
day 0 aujourd'hui
day 1 hier
day 2 avant-hier
week 0 cette semaine
week 1 la semaine dernière
month 0 ce mois-ci
month 1 le mois dernier
year 0 cette année
year 1 l'année dernière
day 0 hoy
day 1 ayer
day 2 anteayer
week 0 esta semana
week 1 la semana pasada
month 0 este mes
month 1 el mes pasado
year 0 este año
year 1 el año pasado
day 2 antes de ayer
day 0 hoje
day 1 ontem
day 2 anteontem
week 1 semana passada
month 0 este mês
month 1 mês passado
year 0 este ano
year 1 ano passado
day 0 oggi
day 1 ieri
day 2 l'altro ieri
week 0 questa settimana
week 1 settimana scorsa
month 0 questo mese
month 1 mese scorso
year 0 quest'anno
year 1 anno scorso
day 0 vandaag
day 1 gisteren
day 2 eergisteren
week 0 deze week
week 1 vorige week
month 0 deze maand
month 1 vorige maand
year 0 dit jaar
year 1 vorig jaar
day 0 dzisiaj
day 1 wczoraj
day 2 przedwczoraj
week 0 w tym tygodniu
week 1 w zeszłym tygodniu
month 0 w tym miesiącu
month 1 w zeszłym miesiącu
year 0 w tym roku
year 1 w zeszłym roku
week 1 tydzień temu
month 1 miesiąc temu
year 1 rok temu
day 0 dziś
day 0 сегодня
day 1 вчера
day 2 позавчера
week 0 на этой неделе
week 1 на прошлой неделе
month 0 в этом месяце
month 1 в прошлом месяце
year 0 в этом году
year 1 в прошлом году
week 1 неделю назад
month 1 месяц назад
year 1 год назад
day 0 bugün
day 1 dün
day 2 evvelsi gün
week 0 bu hafta
week 1 geçen hafta
month 0 bu ay
month 1 geçen ay
year 0 bu yıl
year 1 geçen yıl
year 1 geçen sene
day 0 اليوم
day 1 أمس
day 2 أول أمس
day 1 قبل يوم واحد
day 2 قبل يومين
week 0 هذا الأسبوع
week 1 الأسبوع الماضي
week 2 قبل أسبوعين
week 1 قبل أسبوع واحد
month 0 هذا الشهر
month 1 الشهر الماضي
month 2 قبل شهرين
month 1 قبل شهر واحد
year 0 السنة الحالية
year 1 السنة الماضية
year 2 قبل سنتين
year 1 قبل سنة واحدة
day 1 البارحة
year 1 العام الماضي
week 1 قبل أسبوع
month 1 قبل شهر
year 1 قبل سنة
day 0 आज
day 1 कल
day 2 परसों
week 0 इस सप्ताह
week 1 पिछला सप्ताह
month 0 इस माह
month 1 पिछला माह
year 0 इस वर्ष
year 1 पिछला वर्ष
week 1 पिछले हफ़्ते
week 1 पिछले सप्ताह
month 1 पिछले महीने
year 1 पिछले साल
day 0 今日
day 1 昨日
day 2 一昨日
week 0 今週
week 1 先週
month 0 今月
month 1 先月
year 0 今年
year 1 昨年
day 2 おととい
day 1 きのう
year 1 去年
day 0 今天
day 1 昨天
day 2 前天
week 0 本周
week 1 上周
month 0 本月
month 1 上个月
week 1 上星期
week 1 上週
month 1 上個月
month 1 上月
day 0 오늘
day 1 어제
day 2 그저께
week 0 이번 주
week 0 이번주
week 1 지난주
month 0 이번 달
month 0 이번달
month 1 지난달
year 0 올해
year 1 작년
year 1 지난해
`

/** The unit, and the phrase with `#` for the number. */
export const COUNTED = `
day # day ago
day # days ago
week # week ago
week # weeks ago
month # month ago
month # months ago
year # year ago
year # years ago
day vor # tag
day vor # tagen
week vor # woche
week vor # wochen
month vor # monat
month vor # monaten
year vor # jahr
year vor # jahren
day il y a # jour
day il y a # jours
week il y a # semaine
week il y a # semaines
month il y a # mois
year il y a # an
year il y a # ans
day hace # día
day hace # días
week hace # semana
week hace # semanas
month hace # mes
month hace # meses
year hace # año
year hace # años
day há # dia
day há # dias
week há # semana
week há # semanas
month há # mês
month há # meses
year há # ano
year há # anos
day # dias atrás
week # semanas atrás
month # meses atrás
year # anos atrás
day # giorno fa
day # giorni fa
week # settimana fa
week # settimane fa
month # mese fa
month # mesi fa
year # anno fa
year # anni fa
day # dag geleden
day # dagen geleden
week # week geleden
week # weken geleden
month # maand geleden
month # maanden geleden
year # jaar geleden
day # dzień temu
day # dni temu
week # tydzień temu
week # tygodnie temu
week # tygodni temu
month # miesiąc temu
month # miesiące temu
month # miesięcy temu
year # rok temu
year # lata temu
year # lat temu
day # день назад
day # дня назад
day # дней назад
week # неделю назад
week # недели назад
week # недель назад
month # месяц назад
month # месяца назад
month # месяцев назад
year # год назад
year # года назад
year # лет назад
day # gün önce
week # hafta önce
month # ay önce
year # yıl önce
day قبل # أيام
day قبل # يومًا
week قبل # أسابيع
week قبل # أسبوعًا
month قبل # أشهر
month قبل # شهرًا
year قبل # سنوات
year قبل # سنة
day # दिन पहले
week # सप्ताह पहले
month # माह पहले
year # वर्ष पहले
week # हफ़्ते पहले
month # महीने पहले
year # साल पहले
day # 日前
day #日前
week # 週間前
week #週間前
month # か月前
month #か月前
year # 年前
year #年前
month #ヶ月前
month #カ月前
month #ヵ月前
day #天前
week #周前
month #个月前
month #個月前
week #个星期前
day #일 전
day #일전
week #주 전
week #주전
month #개월 전
month #개월전
year #년 전
year #년전
month # 달 전
month #달전
`

/** Numbers in words. */
export const NUMBERS = `
1 a
1 an
1 one
2 two
3 three
4 four
5 five
6 six
7 seven
8 eight
9 nine
10 ten
11 eleven
12 twelve
1 einem
1 einer
2 zwei
3 drei
4 vier
5 fünf
6 sechs
7 sieben
8 acht
9 neun
10 zehn
11 elf
12 zwölf
1 un
1 une
2 deux
3 trois
4 quatre
5 cinq
7 sept
8 huit
9 neuf
10 dix
11 onze
12 douze
1 una
2 dos
3 tres
4 cuatro
5 cinco
6 seis
7 siete
8 ocho
9 nueve
10 diez
11 once
12 doce
1 um
1 uma
2 dois
2 duas
3 três
4 quatro
7 sete
8 oito
9 nove
10 dez
12 doze
2 due
3 tre
4 quattro
5 cinque
6 sei
7 sette
8 otto
10 dieci
11 undici
12 dodici
1 een
1 één
2 twee
3 drie
5 vijf
6 zes
7 zeven
9 negen
10 tien
12 twaalf
1 jeden
1 jedną
2 dwa
2 dwie
3 trzy
4 cztery
5 pięć
6 sześć
7 siedem
8 osiem
9 dziewięć
10 dziesięć
11 jedenaście
12 dwanaście
1 один
1 одну
2 два
2 две
3 три
4 четыре
5 пять
6 шесть
7 семь
8 восемь
9 девять
10 десять
11 одиннадцать
12 двенадцать
1 bir
2 iki
3 üç
4 dört
5 beş
6 altı
7 yedi
8 sekiz
9 dokuz
10 on
11 onbir
12 oniki
1 واحد
1 واحدة
2 اثنين
2 اثنتين
3 ثلاثة
3 ثلاث
4 أربعة
4 أربع
5 خمسة
5 خمس
6 ستة
6 ست
7 سبعة
7 سبع
8 ثمانية
8 ثماني
9 تسعة
9 تسع
10 عشرة
10 عشر
1 एक
2 दो
3 तीन
4 चार
5 पाँच
5 पांच
6 छह
6 छः
7 सात
8 आठ
9 नौ
10 दस
11 ग्यारह
12 बारह
1 一
2 二
3 三
4 四
5 五
6 六
7 七
8 八
9 九
10 十
11 十一
12 十二
2 两
2 兩
1 한
1 일
2 두
2 이
3 세
3 삼
4 네
4 사
5 다섯
5 오
6 여섯
6 육
7 일곱
7 칠
8 여덟
8 팔
9 아홉
9 구
10 열
10 십
11 열한
11 십일
12 열두
12 십이
`

/** Months, from 0, by their whole names. */
export const MONTHS = `
0 january
1 february
2 march
3 april
4 may
5 june
6 july
7 august
8 september
9 october
10 november
11 december
0 januar
1 februar
2 märz
4 mai
5 juni
6 juli
9 oktober
11 dezember
0 janvier
1 février
2 mars
3 avril
5 juin
6 juillet
7 août
8 septembre
9 octobre
10 novembre
11 décembre
0 enero
1 febrero
2 marzo
3 abril
4 mayo
5 junio
6 julio
7 agosto
8 septiembre
9 octubre
10 noviembre
11 diciembre
0 janeiro
1 fevereiro
2 março
4 maio
5 junho
6 julho
8 setembro
9 outubro
10 novembro
11 dezembro
0 gennaio
1 febbraio
3 aprile
4 maggio
5 giugno
6 luglio
8 settembre
9 ottobre
11 dicembre
0 januari
1 februari
2 maart
4 mei
7 augustus
0 styczeń
1 luty
2 marzec
3 kwiecień
4 maj
5 czerwiec
6 lipiec
7 sierpień
8 wrzesień
9 październik
10 listopad
11 grudzień
0 stycznia
1 lutego
2 marca
3 kwietnia
4 maja
5 czerwca
6 lipca
7 sierpnia
8 września
9 października
10 listopada
11 grudnia
0 styczniu
1 lutym
2 marcu
3 kwietniu
4 maju
5 czerwcu
6 lipcu
7 sierpniu
8 wrześniu
9 październiku
10 listopadzie
11 grudniu
0 январь
1 февраль
2 март
3 апрель
4 май
5 июнь
6 июль
7 август
8 сентябрь
9 октябрь
10 ноябрь
11 декабрь
0 января
1 февраля
2 марта
3 апреля
4 мая
5 июня
6 июля
7 августа
8 сентября
9 октября
10 ноября
11 декабря
0 январе
1 феврале
2 марте
3 апреле
4 мае
5 июне
6 июле
7 августе
8 сентябре
9 октябре
10 ноябре
11 декабре
0 ocak
1 şubat
2 mart
3 nisan
4 mayıs
5 haziran
6 temmuz
7 ağustos
8 eylül
9 ekim
10 kasım
11 aralık
0 ocakta
1 şubatta
2 martta
3 nisanda
4 mayısta
5 haziranda
6 temmuzda
7 ağustosta
8 eylülde
9 ekimde
10 kasımda
11 aralıkta
0 يناير
1 فبراير
2 مارس
3 أبريل
4 مايو
5 يونيو
6 يوليو
7 أغسطس
8 سبتمبر
9 أكتوبر
10 نوفمبر
11 ديسمبر
0 जनवरी
1 फ़रवरी
2 मार्च
3 अप्रैल
4 मई
5 जून
6 जुलाई
7 अगस्त
8 सितंबर
9 अक्टूबर
10 नवंबर
11 दिसंबर
0 一月
1 二月
2 三月
3 四月
4 五月
5 六月
6 七月
7 八月
8 九月
9 十月
10 十一月
11 十二月
`

/** Months by short names, which other languages may use for other words. */
export const SHORT_MONTHS = `
0 jan
1 feb
2 mar
3 apr
5 jun
6 jul
7 aug
8 sep
9 oct
10 nov
11 dec
8 sept
9 okt
11 dez
0 janv
1 févr
3 avr
6 juil
11 déc
0 ene
3 abr
7 ago
11 dic
1 fev
8 set
9 out
0 gen
4 mag
5 giu
6 lug
9 ott
2 mrt
0 sty
1 lut
3 kwi
5 cze
6 lip
7 sie
8 wrz
9 paź
10 lis
11 gru
0 янв
1 февр
2 мар
3 апр
5 июн
6 июл
7 авг
8 сент
9 окт
10 нояб
11 дек
0 oca
1 şub
3 nis
5 haz
6 tem
7 ağu
8 eyl
9 eki
10 kas
11 ara
0 जन
1 फ़र
6 जुल
7 अग
8 सित
9 अक्टू
10 नव
11 दिस
`

/** Short names of months in English. */
export const ENGLISH_MONTHS = `
0 jan
1 feb
2 mar
3 apr
4 may
5 jun
6 jul
7 aug
8 sep
9 oct
10 nov
11 dec
`
