"""PDF: words that a line's end parts, and documents that are encrypted without a password."""

import base64
import io
import zlib

import pypdf
import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.readers import office
from dplda.corpus.readers.extraction.pdf_text import join_broken_words, pdf_text
from dplda.corpus.remarks import Remark
from tests.corpus.readers.samples import pdf

ENCRYPTED = {  # without a password; packed, as to write such a file takes a library of ciphers
    "AES-128": (
        "c-oCqziSjh6h?~_Lw;BVyG-GMg>iR&?Ch=_2TAUZ#27B*G=-uvyYuF9df7d8=R#uVUtlSMWx&$P-d;!wK@qWuscg"
        "kY5S-mR?}D*#e=+Zy?|t*_doz{IdUKInXQ*=W_4qv^*u`n|2vw`dxqZ+F?5s#5duazbo3aBrrk1dUYBdCjDv0!4L"
        "diqUdROK69%cm}-$%|$I!FvAXHwZeQ;UT%u+-s7&IYKiTu%3`mTPa}x;U_JshAi`%rPG_w;)dkS!_)ficLE^91uK"
        "Np+J$-9z>=L3y>gZS>{mkomJ@Vf$7Gw@Hu`)hWQ!8&2G;?W(9lFKpo;#S?9MP>6jhsuSm*G267h-PCv}eJ)c>8yh"
        "GQ1UfHdjOf9V5Sif*QJJX+EKAJs!`Qqxg!w2q<r=M^7?dc<P?aPL_T)X==eDmwwEAesu(qT+rFMQYG^rwfdsf*7F"
        "Gb8DdE$@u2ZOm;UiqFUkp@FR^<}~D?@M%aV*4suVN@fZ<EnM}4&@%8D0AsNq`mthB=yI*3(gER8OU9KBB@46w#Yq"
        "$f9B3?*q*4m))sS-sSE(j3laebQ5r}-CzE5IdwPGa{FrY!CIe5Uq_X5d@;I3<9p|zGSaRaNe(k$E6Hfl6l8kn8NU"
        "a=#bdK$O-kQAg1>?}3f+jR1yV$>{~y4%D<fg;Gp!K9P>8E9lT6LQBF7M{mEtnnBlwy@<)GQk8thY`xoVa!H<W85P"
        "X%w)3LgRJaXyZZ#J6=y3=?Ex9?<+Zxq?^Qx#SNl>@8i;^XWjmk)Ukm1XLfN9${)b{uN+XH0gTBGupTnCQnVGT(wh"
        "yRMX|$T?H#goNGX"
    ),
    "AES-256": (
        "c-oCrO^94Y5WY%-f)~$?xQ85)*Z=*RjEl+c42lV}?!-k1IaGI7?~csQEN|Y1#EYQb_23~O-o&HmA$U;mrsU)ycoi"
        "|XkgGo+sP$&XnZ@<soA-w9>aV`~x~jUj_I3vs<t5Fwetz`*LngW4v-l?K^;mV|?g{d02U?iS4q3GahdAeo0Q+ovo"
        "8dHfKy}Vxfn(LH<2>g#x$f}%7OQq<r_+|pGp_nSUAsUH5_B1<x{i4aS7&#KOVG~=!E5>!jMJ8Yb8eQ%eVorun?xc"
        "z#sRG^2a<0hbXHc4PGh^6c1Fpnt1!m}zIquax3L{3=ya~%m0)v5@L)V?u_3|<w783DmPz?FoF2AEq_1<Dw++HEdu"
        "RB|kM}?O;^MFD#t)a<k3KoN_19DP-`%<C4?gUF{@}Z}pa1mf@wIz@eES<beDLv;OTYj5>`O1c_RRbGC-~;;3m5v2"
        "jw65W-W&GlgZI9A{N)Qz4mvR_>Xj^eM%DqhlnCzDT9l>n9ycnO;JgZIBYo7uG((eFHRL@Rd^T1<#ssP)rDedncoa"
        "}D%4ld+qRYidFg6IKGfH2(8fvRiIJD7enW4t4Vzl&EOQEEUB|EU**4wOlo%gaqC{9?Xq63}k2r6Q!wf7lBOo+scH"
        "h_#GL~D&o3WN^{N+MmxDpb}A;>_MEqlJ%2`e1U>QR<WxMcElF$~|iHYINnaJ?h`?I;z^8rQr!qJJ5ArUFnYw^g2;"
        "mt%^;q#{<43=qAl(GVJr7a3D;f9eJmWb<TzyjVg7}S*NIi^q7lC&PA`RhNz6UA{FmLE<PvMC4y)i?K_qtrON^=pf"
        "%ao+6p5zxB#`z*((U4P9bHRiYrRR;4pxuyeA-<J#3Dt*D2#A$KrKLQ6!(x#hQwiP?}&1`m-H;r@_ML5HYcSxU*JU"
        "UijK3si77t(~ZrUb2h2;Ih&^0zir0Kjje59Ji%tstE2H-*mdguY(^Ku@(jPSOXs|&AOd(*qzZ{DAA^@Ugs6)1#Zc"
        "pI{~rk55dCRt?w+*V{&Q)~TWH!v5+v=3ZEf|31NJx3Ol;%"
    ),
}


def lines(*printed_lines: str) -> bytes:
    """A document of some lines."""
    moves = " Tj 0 -14 Td ".join(f"({line})" for line in printed_lines)
    return pdf(f") Tj {moves} Tj (")


def encrypted(content: bytes, algorithm: str, password: str = "") -> bytes:
    writer, out = pypdf.PdfWriter(clone_from=io.BytesIO(content)), io.BytesIO()
    writer.encrypt(password, owner_password="owner", algorithm=algorithm)
    writer.write(out)
    return out.getvalue()


def test_word_broken_at_a_line_end_is_joined() -> None:
    assert pdf_text(lines("new infor-", "mation and inter-", "national law")).split() == (
        ["new", "information", "and", "international", "law"]
    )


@pytest.mark.parametrize("mark", ["\x02", "\ufffe", "-\n", "-\r\n", "‐ \n  ", "\u00ad", "\u00ad\n"])
def test_pdf_hyphens_of_every_kind_join_a_broken_word(mark) -> None:
    assert join_broken_words(f"infor{mark}mation ri{mark}ver") == "information river"


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("well known, well\x02known", "well known, well-known"),
        ("well-known, well\x02known", "well-known, well-known"),
        ("in formation information in\x02formation", "in formation information information"),
        ("Anglo\x02Saxon", "Anglo-Saxon"),
        ("INFOR\x02MATION", "INFORMATION"),
        ("covid\x0219", "covid-19"),
        ("inter\x02na\x02tional", "international"),
        ("half-way there", "half-way there"),
    ],
)
def test_halves_that_are_words_of_the_text_stay_apart(text, joined) -> None:
    assert join_broken_words(text) == joined


@pytest.mark.parametrize("cipher", ["RC4-40", "RC4-128", *ENCRYPTED])
def test_document_encrypted_without_a_password_is_read(cipher) -> None:
    packed_file = ENCRYPTED.get(cipher)
    content = (
        encrypted(pdf("river water"), cipher)
        if packed_file is None
        else zlib.decompress(base64.b85decode(packed_file))
    )
    assert pdf_text(content) == "river water"


def test_page_without_text_is_said_with_a_number() -> None:
    files = [("a.pdf", pdf("")), ("b.pdf", pdf("river water")), ("c.pdf", pdf("boat"))]
    corpus = load([(name, io.BytesIO(content)) for name, content in files], label=Label.PUBLIC)
    assert corpus.intake.remarks == ((Remark.FILE_WITHOUT_TEXT, 1, ("a.pdf",)),)


def test_page_that_unpacks_to_more_than_its_memory_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A file of 0.2 MB that unpacks to 120 MB, more than once."""
    monkeypatch.setattr(office, "PARSING_MEMORY", 30_000_000)
    content = pdf(" " * 60_000, times=2_000)
    with pytest.raises(ReadError, match=r"more memory than allowed\. Save it as plain text"):
        load(("a.pdf", io.BytesIO(content)), label=Label.PUBLIC)


def test_page_within_its_memory_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "PARSING_MEMORY", 30_000_000)
    files = [(f"{name}.pdf", io.BytesIO(pdf(f"river water {name}"))) for name in "abc"]
    assert load(files, label=Label.PUBLIC).n_documents == 3
