"""Words that docstrings share whatever they are about, and that would swamp their topics."""

_CALLS = """
    args argument arguments attribute attributes call callable called caller callers calling calls class
    classes constructor def default defaults func function functionality functions implement
    implementation implementations implemented implements inherit inherited init input inputs instance
    instances instantiate invoked keyword keywords kwarg kwargs method methods object objects optional
    optionally output outputs overridden override param parameter parameters params parent pass passed
    passes passing positional properties property raise raised raises return returned returning returns
    self subclass subclasses wrapped wrapper wraps yield yields
"""
_TYPES = """
    bool boolean dict dictionary false float floats int integer integers item items iterable list lists
    nan none null str string strings true tuple tuples type typed types
"""
_CONNECTIVES = """
    able according accordingly account actual actually add added adding additional additionally adds
    affect allow allowed allowing allows alternative alternatively appear appears applied applies apply
    applying appropriate arbitrary assigned assume assumed assumes automatically available avoid base
    based basic begin beginning behave behavior behaviour best better case cases cause causes certain
    certainly change changes changing check checked checking checks choice choose chosen close closely
    come common commonly compatibility compatible complete completely consider considered contain
    contained containing contains contrast control controls convenience conveniently correct correctly
    correspond corresponding corresponds create created creates creating current currently custom depend
    depending depends describe described describes desired determine determined determines differ
    difference different differently differs directly distinct does doing done easily easy effect
    effective element elements enable enabled end ends ensure ensures entire equal equally equivalent
    especially exact exactly example examples exceed exist existing exists expect expected explicit
    explicitly extra fact fail fails fall falling falls final finally finding finds follow followed
    following follows form forms full fully general generally generate generated generates get gets
    getting give given gives giving good half handle handled handles handling happens having help helper
    high higher hold holds ignore ignored ignores impact important improve include included includes
    including indicate indicates indicating individual information instead intended internal internally
    just keep keeps kept kind know known large larger largest later lead leading leave leaves left let
    like likely little long longer look low lower main make makes making match matched matches matching
    maximum mean meaning means meant minimum modified modifies modify multiple names naming necessary need
    needed needs new non normal normally note notes number numbers obtain obtained occur occurs odd old
    ones operation operations option options order ordinary original otherwise particular perform
    performed performing performs place placed plus point possible possibly potentially preferred presence
    present preserve prevent previous previously produce produced produces proper properly provide
    provided provides providing purpose range rather reason reasons receive received refer reference
    regardless related relative relevant remain remaining replace replaced represent represented
    representing represents require required requires respect respective respectively result resulting
    results right run running runs satisfy say second section sense separate set sets setting settings
    shall short similar similarly simple simply single size small smaller smallest special specific
    specifically specified specifies specify specifying standard start starting starts stay stays stop
    stops store stored stores strictly subsequent successfully suitable support supported supporting
    supports sure taken takes taking target thing things time times total treat treated try trying
    unchanged unknown unless unlike unlikely unused upper usage use used useful user uses using usual
    usually valid value valued values variable variables various version versions wait want way ways word
    words work worked working works
"""
_MANUALS = """
    api apis bar caution changed changelog compat deprecated deprecation detail details doc docs docstring
    documentation documented foo future gallery glossary glr guide install installed issue issues kwds loc
    manual module modules obj package packages please public python pythonic read reading recommended
    release removed reproducible see seen sphx stdlib todo tutorial typeerror valueerror verbose verbosity
    vs warn warned warning warnings wise
"""

BOILERPLATE = frozenset(f"{_CALLS} {_TYPES} {_CONNECTIVES} {_MANUALS}".split())
"""Lower-case words left out of the embedded corpus besides the English stop words."""
