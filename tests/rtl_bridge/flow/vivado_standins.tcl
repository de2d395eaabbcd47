# SPDX-License-Identifier: Apache-2.0
#
# Runs a script for Vivado where there is no Vivado: `tclsh vivado_standins.tcl SCRIPT RECORD FAILING [ARGUMENT...]`.
# Every command of Vivado that the script may call is a stand-in: it takes the options that the command reference
# (UG835) lists and no others, insists on the order of the flow and on files that are there, writes its call as a line of
# words with tabs between them to the file RECORD, and fails if it is the command FAILING. Nothing is synthesised, so
# this says nothing about what Vivado makes of the core.

set argv [lassign $argv script record failing]

# Options of the commands: 1 where a value follows. -quiet and -verbose go with all of them.
array set options {
  create_project        {-part 1 -force 0 -in_memory 0 -ip 0 -rtl_kernel 0}
  read_verilog          {-library 1 -sv 0}
  read_vhdl             {-library 1 -vhdl2008 0}
  add_files             {-fileset 1 -of_objects 1 -norecurse 0 -copy_to 1 -force 0 -scan_for_includes 0}
  set_property          {-dict 1 -name 1 -value 1 -objects 1}
  get_files             {-regexp 0 -nocase 0 -filter 1 -of_objects 1 -all 0}
  get_filesets          {-regexp 0 -nocase 0 -filter 1 -of_objects 1}
  get_runs              {-regexp 0 -nocase 0 -filter 1}
  read_xdc              {-cells 1 -ref 1 -quiet_diff 0 -mode 1 -unmanaged 0 -no_add 0}
  synth_design          {-name 1 -part 1 -constrset 1 -top 1 -include_dirs 1 -generic 1 -verilog_define 1
                         -flatten_hierarchy 1 -gated_clock_conversion 1 -directive 1 -rtl 0 -bufg 1 -no_lc 0
                         -shreg_min_size 1 -mode 1 -fsm_extraction 1 -keep_equivalent_registers 0 -resource_sharing 1
                         -cascade_dsp 1 -control_set_opt_threshold 1 -max_bram 1 -max_uram 1 -max_dsp 1 -retiming 0
                         -no_srlextract 0 -assert 0 -no_timing_driven 0 -sfcu 0}
  opt_design            {-retarget 0 -propconst 0 -sweep 0 -bram_power_opt 0 -remap 0 -directive 1}
  place_design          {-directive 1 -no_timing_driven 0 -timing_summary 0 -unplace 0 -post_place_opt 0}
  phys_opt_design       {-fanout_opt 0 -placement_opt 0 -routing_opt 0 -retime 0 -hold_fix 0 -directive 1}
  route_design          {-unroute 0 -nets 1 -directive 1 -tns_cleanup 0 -no_timing_driven 0 -preserve 0}
  report_timing_summary {-delay_type 1 -no_detailed_paths 0 -setup 0 -hold 0 -max_paths 1 -nworst 1 -unique_pins 0
                         -path_type 1 -report_unconstrained 0 -significant_digits 1 -file 1 -append 0}
  report_utilization    {-file 1 -append 0 -cells 1 -slr 0 -no_primitives 0 -hierarchical 0 -hierarchical_depth 1
                         -hierarchical_percentages 0}
  report_power          {-no_propagation 0 -hier 1 -file 1 -format 1 -append 0}
  write_checkpoint      {-force 0 -cell 1}
  create_clock          {-period 1 -name 1 -waveform 1 -add 0}
  get_ports             {-regexp 0 -nocase 0 -filter 1}
}

# What must have happened before a command.
array set after {
  read_verilog create_project  read_vhdl create_project  read_xdc create_project  add_files create_project
  set_property add_files  opt_design synth_design
  place_design opt_design  phys_opt_design place_design  route_design place_design  report_timing_summary synth_design
  report_utilization synth_design  report_power synth_design  write_checkpoint synth_design
}
set happened {}

# check CONDITION COMPLAINT
proc check {condition complaint} {
  if {![uplevel 1 [list expr $condition]]} {
    error "stand-in: $complaint"
  }
}

# Takes a call apart: {option value ...}, flags with value 1, and under {} what is no option.
proc parse {name words} {
  set known [concat $::options($name) {-quiet 0 -verbose 0}]
  set given {}
  while {[llength $words] > 0} {
    set words [lassign $words word]
    if {![string match -* $word]} {
      dict lappend given {} $word
    } elseif {![dict exists $known $word]} {
      error "stand-in: $name has no option $word"
    } elseif {[dict get $known $word]} {
      check {[llength $words] > 0} "$name $word needs a value"
      set words [lassign $words value]
      dict lappend given $word $value
    } else {
      dict set given $word 1
    }
  }
  return $given
}

proc call {name words} {
  set stream [open $::record a]
  puts $stream [join [list $name {*}$words] \t]
  close $stream
  if {$name eq $::failing} {
    error "told to fail"
  }
  if {[info exists ::after($name)]} {
    check {$::after($name) in $::happened} "$name comes before $::after($name)"
  }
  lappend ::happened $name
  set given [parse $name $words]
  switch $name {
    read_verilog - read_vhdl - read_xdc {
      check {[dict exists $given {}]} "$name reads no file"
      foreach file [dict get $given {}] {
        check {[file isfile $file]} "$name: there is no $file"
        if {$name eq "read_xdc"} {
          uplevel #0 [list source $file]
        }
      }
    }
    synth_design {
      check {[lindex [dict get $given -mode] 0] in {default out_of_context}} "no such mode"
      check {"read_verilog" in $::happened || "read_vhdl" in $::happened} "synth_design comes before sources"
      if {[dict exists $given -include_dirs]} {
        check {[join [dict get $given -include_dirs]] ne {}} "-include_dirs without a folder"
        foreach folder [join [dict get $given -include_dirs]] {
          check {[file isdirectory $folder]} "there is no folder $folder"
        }
      }
      foreach generic [expr {[dict exists $given -generic] ? [dict get $given -generic] : {}}] {
        check {[regexp {^\w+=\d+$} $generic]} "$generic is no generic"
      }
    }
    add_files {
      foreach file [join [dict get $given {}]] {
        check {[file isfile $file]} "add_files: there is no $file"
      }
    }
    set_property {
      # Either a name, a value and what has it, or all three by option.
      check {[dict exists $given {}] ? [llength [dict get $given {}]] == 3 :
             [dict exists $given -name] && [dict exists $given -value] && [dict exists $given -objects]} "no property"
    }
    get_files - get_filesets - get_runs {
      return [lindex [dict get $given {}] 0]
    }
    report_timing_summary - report_utilization - report_power {
      close [open [lindex [dict get $given -file] 0] w]
    }
    write_checkpoint {
      close [open [lindex [dict get $given {}] 0] w]
    }
    create_clock {
      check {[string is double -strict [dict get $given -period]]} "the period is no number"
      check {[dict get $given {}] ne ""} "the clock has no port"
    }
    get_ports {
      return [lindex [dict get $given {}] 0]
    }
  }
}

foreach name [array names options] {
  proc $name args "call $name \$args"
}

# Vivado ends a batch with exit code 1 where a script has an error.
set argc [llength $argv]
if {[catch {source $script} message]} {
  puts stderr $message
  exit 1
}
