"""The printed notice of a ruling: its author and time, the opponent, and the annulment."""

import re
from html import unescape

from tests.played import a_desk, an_app, spring_cup


def test_notice_names_author_opponent_and_annulment(tmp_path):
    desk = a_desk(tmp_path)
    spring_cup(desk)
    client = an_app(tmp_path, desk).test_client()

    def notice(ruling: str, language: str) -> str:
        html = client.get(f"/t/cup/papers/rulings/{ruling}", headers={"Accept-Language": language}).text
        return re.sub(r" ([,，])", r"\1", " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split()))

    told = notice("r2", "en")
    assert re.search(r"Player 4 José Núñez Opponent 3 李娜 .* Decided by li\.wei, arbiter Time \d{4}-", told), told
    assert re.search(r"Annulled by board, appeals committee, \d{4}-\S+ \S+ \S+, ruling r\d .* Reason", told), told
    assert "Reason the reason is shown only to officials" in told
    in_chinese = notice("r2", "zh-CN")
    assert re.search(r"对手 3 李娜 .* 判罚人 li\.wei， ?裁判员 .* 撤销人 board， ?仲裁委员会", in_chinese), in_chinese
    desk.close()


def test_notice_of_a_lapsed_ruling_names_its_cause(tmp_path):
    desk = a_desk(tmp_path)
    spring_cup(desk)
    state = desk.view("cup").state
    lapsed = next(one for one in state.rulings if state.lapsed_with(one))
    (annulled,) = state.lapsed_with(lapsed)
    client = an_app(tmp_path, desk).test_client()
    notice = client.get(f"/t/cup/papers/rulings/{lapsed}").text
    assert f"because it depends on {annulled}, no longer in force" in notice
    assert "because it depends on" not in client.get(f"/t/cup/papers/rulings/{annulled}").text
    desk.close()
